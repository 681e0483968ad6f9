import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageFile } from '../../../files/package-root.ts';
import { programFiles } from '../../isolation/interpreter.ts';
import type { JailFiles } from '../../isolation/isolation.ts';
import { isolatedVmBinary } from './isolated-vm.ts';

/** One of our programs, how it is started and what it reads. */
export interface HostProgram extends JailFiles {
  readonly argv: readonly string[];
}

/** The programs that the processes of an execution run. Throws ISOLATED_VM_MISSING. */
export function hostPrograms(
  memoryMiB: number,
): Readonly<Record<'candidate' | 'judge' | 'isolated', HostProgram>> {
  const require = createRequire(import.meta.url);
  const isolatedVm = isolatedVmBinary();
  const [node = process.execPath, ...libraries] = programFiles(process.execPath);
  const executable = [node, ...libraries.filter(path => statSync(path).isFile())];
  const shared = [...libraries, packageFile('dist/lib/sandbox/javascript'), folderOf(require, 'js-md5')];
  const program = (name: string, flags: readonly string[], words: readonly string[] = []) => ({
    argv: [node, ...flags, packageFile(`dist/lib/sandbox/javascript/host/${name}-host.cjs`), ...words],
    executable,
  });
  const heap = [`--max-old-space-size=${memoryMiB}`];
  return {
    // Node's start-up snapshot does not work with isolates of isolated-vm.
    candidate: {
      ...program('candidate', ['--no-node-snapshot'], [String(memoryMiB), isolatedVm]),
      readable: [...shared, isolatedVm],
    },
    judge: { ...program('judge', heap), readable: shared },
    isolated: { ...program('isolated', heap), readable: shared },
  };
}

/** A package's folder under the name that Node looks for, which some package managers make a link. */
function folderOf(require: NodeJS.Require, name: string): string {
  const entry = require.resolve(name);
  const folders = (require.resolve.paths(name) ?? []).map(root => join(root, name));
  return folders.find(existsSync) ?? dirname(entry);
}
