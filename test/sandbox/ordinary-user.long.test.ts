import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { needs, root } from '../support/needs.ts';

/** Repeats the attacks of the conformance lists as an ordinary user, unless the suite already runs as one. */

const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
const home = mkdtempSync(join(tmpdir(), 'hefix-nobody-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const missing = findMissing();

test('every level of isolation holds for an ordinary user', {
  ...needs({ what: missing ?? '', isThere: missing === null }),
  timeout: 600_000,
}, () => {
  const vitest = [process.execPath, packageFile('node_modules/vitest/vitest.mjs'), 'run', '--mode=all'];
  const lists = ['sandbox/conformance', 'sandbox/javascript/conformance', 'fix/hostile-folder'];
  const files = lists.map(list => packageFile(`test/${list}.long.test.ts`));
  // What depends on the user: attacks on the system, at the strongest and the weakest level, JavaScript's sample in
  // between, and how a project gets into a jail.
  const kinds = ['hanging', 'output', 'processes', 'memory', 'files', 'network', 'spying'];
  const subset = [
    `^process at the (bubblewrap|ulimit) level: attacks ('(${kinds.join('|')})'|no attack|leaves)`,
    ...['^namespaces ', '^links in node_modules show'],
  ].join('|');
  const run = asNobody([
    ...vitest,
    ...files,
    `--testNamePattern=${subset}`,
    '--configLoader=runner',
    '--reporter=dot',
  ]);
  expect(run.status, `${run.stdout}\n${run.stderr}`).toBe(0);
  expect(run.stdout).toMatch(/Test Files\s+3 passed/);
  expect(run.stdout).toMatch(/Tests\s+\d{3,} passed/);
});

/** What it takes to run the suite as another user. */
function findMissing(): string | null {
  if (process.getuid?.() !== 0) return root.what;
  if (asNobody(['true']).status !== 0) return 'setpriv';
  if (asNobody([process.execPath, '-e', '']).status !== 0) return 'a node that every user can start';
  if (asNobody(['test', '-r', packageFile('package.json')]).status !== 0)
    return 'a checkout that every user can read';
  if (asNobody(['python3', '-c', '']).status !== 0) return 'a python3 that every user can start';
  return null;
}

/** Runs a command as nobody; the suite has built hefix into a folder that nobody cannot write. */
function asNobody(command: readonly string[]) {
  const [file, ...options] = nobody;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: '/tmp',
    NO_COLOR: '1',
    HEFIX_BUILT: '1',
  };
  return spawnSync(file, [...options, ...command], { env, cwd: packageFile('.'), encoding: 'utf8' });
}
