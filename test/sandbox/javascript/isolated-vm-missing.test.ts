import { spawnSync } from 'node:child_process';
import { cpSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { isolatedVmMissing } from '../../../lib/sandbox/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('reports that isolated-vm cannot be loaded before it accepts a candidate', async () => {
  const folder = await temporaryFolder();
  cpSync(packageFile('dist/lib/sandbox'), join(folder, 'sandbox'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // Descriptor 0 is the connection to the judge: here a file, which keeps its messages.
  const line = join(folder, 'line');
  const { status } = spawnSync(
    process.execPath,
    [
      '--no-node-snapshot',
      join(folder, 'sandbox/javascript/host/candidate-host.cjs'),
      '64',
      join(folder, 'isolated_vm.node'),
    ],
    { stdio: [openSync(line, 'w+'), 'ignore', 'pipe'] },
  );
  const said = JSON.parse(readFileSync(line).subarray(4).toString('utf8'));
  expect(status).toBe(1);
  expect(said).toEqual({
    op: 'no isolated-vm',
    why: expect.stringContaining("isolated_vm.node'"),
  });
});

test('finds a symlinked package inside the jail', async () => {
  // As pnpm arranges packages: they are installed elsewhere, and node_modules contains links.
  const folder = await temporaryFolder();
  for (const part of ['dist', 'lib', 'package.json']) {
    cpSync(packageFile(part), join(folder, part), { recursive: true });
  }
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'candidate.js'), 'const f = x => x + 1');
  writeFileSync(join(folder, 'tests.js'), 'console.assert(f(1) === 2)');
  const files = ['--code', join(folder, 'candidate.js'), '--tests', join(folder, 'tests.js')];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/bin/hefix.js'), 'exec', '--lang', 'js', ...files, '--entry-point', 'f'],
    { encoding: 'utf8' },
  );
  expect(stdout + stderr).toContain('passed');
});

test('a binary for another Node.js is reported in one sentence', () => {
  const why =
    "The module '/isolated_vm.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127. Please try re-compiling or re-installing\nthe module (for instance, using `npm rebuild` or `npm install`).";
  const { message, hint } = isolatedVmMissing(6, why);
  expect(message).toBe(
    'JavaScript candidates run in isolated-vm, which cannot be loaded: it was installed for another version of Node.js.',
  );
  expect(hint).toContain('npm install isolated-vm@6, or npm test in a checkout');
});
