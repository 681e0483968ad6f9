import { statSync } from 'node:fs';
import { programFiles } from '../isolation/interpreter.ts';
import { createProgramFiles, type ProgramFiles } from './program-files.ts';
import type { RuntimeFiles } from './toolchain.ts';

/** Where candidates and judges are kept, apart from each other, so that a candidate cannot see the tests. */
export interface KeptPrograms {
  readonly candidates: ProgramFiles;
  readonly judges: ProgramFiles;
  close(): Promise<void>;
}

export function createKeptPrograms(): KeptPrograms {
  const [candidates, judges] = [createProgramFiles(), createProgramFiles()];
  return {
    candidates,
    judges,
    async close() {
      await Promise.all([candidates.close(), judges.close()]);
    },
  };
}

/** What programs in machine code need: the system's dynamic loader and libraries, which this process uses as well. */
export function nativeRuntime(
  { candidates, judges }: KeptPrograms,
  programs: readonly string[] = [],
): RuntimeFiles {
  const [, ...shared] = programFiles(process.execPath);
  const loaders = shared.filter(
    path => /\.so/.test(path) && !path.endsWith('.cache') && statSync(path).isFile(),
  );
  return {
    candidates: candidates.folder,
    judges: judges.folder,
    readable: shared,
    executable: [...loaders, ...programs],
  };
}
