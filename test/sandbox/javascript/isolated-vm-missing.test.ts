import { spawnSync } from 'node:child_process';
import { cpSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/package-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('where isolated-vm cannot be loaded, the process says so before it takes a candidate', async () => {
  const folder = await temporaryFolder();
  cpSync(packageFile('dist/lib/sandbox/javascript'), join(folder, 'hosts'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // Descriptor 0 is the line to the judge: here a file, which keeps what is said.
  const line = join(folder, 'line');
  const { status } = spawnSync(
    process.execPath,
    ['--no-node-snapshot', join(folder, 'hosts/candidate-host.js'), '64'],
    { stdio: [openSync(line, 'w+'), 'ignore', 'pipe'] },
  );
  const said = JSON.parse(readFileSync(line).subarray(4).toString('utf8'));
  expect(status).toBe(1);
  expect(said).toEqual({
    op: 'no isolated-vm',
    why: expect.stringContaining("Cannot find module 'isolated-vm'"),
  });
});
