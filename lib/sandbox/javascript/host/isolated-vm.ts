import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isolatedVmMissing } from '../../errors.ts';
import type { Jail } from '../../isolation/isolation.ts';
import type { Pair } from '../../process/pairs.ts';
import { captureSlowly, processorWait, startProcess } from '../../process/started-process.ts';

/**
 * Each version of isolated-vm supports a few versions of Node.js. hefix comes with 6 and 7, under these names, with
 * binaries for common systems; elsewhere, and on Node.js 20, a user installs the version under its own name.
 */
const own = { 5: 'isolated-vm', 6: 'isolated-vm-6', 7: 'isolated-vm-7' } as const;

/** The version for a Node.js. */
export function isolatedVmVersion(node = process.versions.node): keyof typeof own {
  const major = Number.parseInt(node, 10);
  return major < 22 ? 5 : major < 24 ? 6 : 7;
}

/** Path of the binary for this Node.js, which exports `ivm`. Throws ISOLATED_VM_MISSING. */
export function isolatedVmBinary(): string {
  const version = isolatedVmVersion();
  const folders = [own[version], 'isolated-vm'].flatMap(folderOf);
  for (const folder of folders) {
    const binary = binaryIn(folder);
    if (binary !== null) return binary;
  }
  const system = `Node.js ${process.versions.node} on ${process.platform}-${process.arch}`;
  throw isolatedVmMissing(
    version,
    folders.length === 0 ? 'it is not installed' : `there is no binary for ${system}`,
  );
}

export function hasIsolatedVm(): boolean {
  return [own[isolatedVmVersion()], 'isolated-vm']
    .flatMap(folderOf)
    .some(folder => binaryIn(folder) !== null);
}

function folderOf(name: string): string[] {
  try {
    return [dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))];
  } catch {
    return [];
  }
}

function binaryIn(folder: string): string | null {
  // Where version 5 is compiled to.
  const compiled = join(folder, 'out/isolated_vm.node');
  if (existsSync(compiled)) return compiled;
  try {
    const require = createRequire(join(folder, 'package.json'));
    return (require('node-gyp-build') as { path(folder: string): string }).path(folder);
  } catch {
    return null;
  }
}

/** One process for candidate and tests, in place of a pair. */
export interface IsolatedProcess extends Pair {
  /** Its reports count only with the secret that came with its job, since a candidate can write to any descriptor. */
  readonly secret: string;
}

export function startIsolated(jail: Jail): IsolatedProcess {
  const both = startProcess(jail, ['ignore', 'pipe', 'pipe', 'pipe'], {});
  const stderr = captureSlowly(both.child.stderr as Readable);
  return {
    judge: both,
    candidate: both,
    channel: both.child.stdio[3] as Socket,
    stdout: captureSlowly(both.child.stdout as Readable),
    stderr,
    complaints: stderr,
    waited: () => processorWait(both.child.pid),
    isUsable: () => !both.hasExited(),
    destroy: both.destroy,
    secret: randomUUID(),
  };
}
