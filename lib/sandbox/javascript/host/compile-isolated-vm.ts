import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { packageFile } from '../../../files/package.ts';
import { hasIsolatedVm, isolatedVmVersion } from './isolated-vm.ts';

/**
 * In a checkout on Node.js 20, whose version of isolated-vm comes without binaries, compiles it before its first use.
 * The script says so, waits for another process that compiles it, and says why it fails.
 */
export async function compileIsolatedVm(): Promise<void> {
  if (!isToBeCompiled()) return;
  await execa(process.execPath, [script()], {
    cwd: '/',
    stdio: ['ignore', process.stderr, process.stderr],
    reject: false,
  });
}

/** Whether JavaScript works after the first call of `compileIsolatedVm`. */
export function isToBeCompiled(): boolean {
  return isolatedVmVersion() === 5 && !hasIsolatedVm() && existsSync(script());
}

function script(): string {
  return packageFile('fixtures/package/compile-isolated-vm.mjs');
}
