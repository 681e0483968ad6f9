import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { runGroup } from '../../../lib/extra/compiled/run-group.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A program that starts another and waits for it. */
const driver = ['-c', 'sleep 100 & echo $!; wait'];
const options = { cwd: '/', env: {} };

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

test('returns the output', async () => {
  expect(await runGroup('sh', ['-c', 'echo a'], options)).toBe('a');
});

test('at the time limit, what the program started ends too', async () => {
  const error = await runGroup('sh', driver, { ...options, timeout: 1000 }).catch(error => error);
  const id = Number(error.stdout);
  expect(id).toBeGreaterThan(0);
  await eventually(() => expect(isRunning(id)).toBe(false));
});

test('what the program started ends with this process', async () => {
  const file = join(await temporaryFolder(), 'id');
  const url = pathToFileURL(packageFile('dist/lib/extra/compiled/run-group.js')).href;
  const program = `import { existsSync } from 'node:fs';
    import { runGroup } from '${url}';
    void runGroup('sh', ['-c', 'sleep 100 & echo $! >${file}.new; mv ${file}.new ${file}; wait'], { cwd: '/', env: {} });
    setInterval(() => existsSync('${file}') && process.exit(7), 10);`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 });
  expect(status).toBe(7);
  const id = Number(readFileSync(file, 'utf8'));
  await eventually(() => expect(isRunning(id)).toBe(false));
});
