import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { linux, needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('help', () => {
  test.each([
    ['--help'],
    ['run'],
    ['verify'],
    ['exec'],
    ['machine'],
    ['models'],
    ['pull'],
    ['doctor'],
    ['score'],
    ['sweep'],
    ['compare'],
    ['merge'],
    ['export'],
    ['report'],
    ['rerun'],
    ['view'],
    ['step'],
  ])('of %s', async (...command) => {
    const { stdout, exitCode } = await hefixHere([...new Set([...command, '--help'])]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  test('fits 110 columns and has an example for each command', async () => {
    const { stdout } = await hefixHere(['--help']);
    const lines = String(stdout).split('\n');
    expect(lines.filter(line => line.length > 110)).toEqual([]);
    expect(lines).toContain('Examples:');
  });

  test('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
    expect((await hefixHere(['--version'])).stdout).toBe(version);
  });
});

describe('colours', () => {
  test.each([
    ['none in a pipe', {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
    ['NO_COLOR', { NO_COLOR: '1' }, false],
  ])('%s', async (_, env, colored) => {
    const { stderr } = await hefixHere(['--iters', 'x'], { env: { NO_COLOR: undefined, ...env } });
    expect(String(stderr).includes('\u001b[31m')).toBe(colored);
  });
});

test('a reader that closes the pipe early is not an error', async () => {
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, 1);
  const args = [
    '--backend',
    'scripted',
    '--model',
    script,
    '--dataset',
    dataset,
    '--out',
    join(folder, 'r.jsonl'),
  ];
  const child = spawn(process.execPath, [packageFile('dist/bin/hefix.js'), ...args]);
  let stderr = '';
  child.stderr.on('data', data => {
    stderr += data;
  });
  child.stdout.destroy();
  const [exitCode] = await once(child, 'close');
  expect(stderr).toContain('1/1, 100.0%');
  expect(stderr).not.toMatch(/EPIPE|\n {4}at /);
  expect(exitCode).toBe(0);
});

test('--debug shows the stack trace of an error', async () => {
  const { stderr } = await hefixHere(['--dataset', 'x.jsonl', '--debug'], { cwd: await temporaryFolder() });
  expect(stderr).toMatch(/\n {4}at /);
});

describe('exec', () => {
  async function judged(candidate: string, ...more: string[]) {
    const folder = await temporaryFolder();
    const [code, tests] = [join(folder, 'c.py'), join(folder, 't.py')];
    await writeFile(code, candidate);
    await writeFile(tests, 'assert double(2) == 4\n');
    return await hefixHere(['exec', '--code', code, '--tests', tests, '--entry-point', 'double', ...more]);
  }

  test('exits with 0 for a pass', async () => {
    const { exitCode, stdout } = await judged('def double(x):\n    return 2 * x\n');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^passed: /)]);
  });

  test('exits with 1 for any other verdict, and shows the expected and the actual value', async () => {
    const { exitCode, stdout } = await judged('def double(x):\n    return 3 * x\n', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(String(stdout))).toMatchObject({
      verdict: { kind: 'failed', expected: '4', actual: '6' },
    });
  });

  test('exits with 2 if there is no verdict', async () => {
    const { exitCode, stderr } = await hefixHere(['exec', '--code', 'c.py'], {
      cwd: await temporaryFolder(),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('hefix exec needs --tests. [OPTION_REQUIRED]');
  });
});

test('verify lists what passes and what does not', async () => {
  const folder = await temporaryFolder();
  const { dataset } = await writeSmallSet(folder, 3);
  const { stdout, exitCode } = await hefixHere(['verify', '--dataset', dataset]);
  expect(JSON.parse(String(stdout))).toMatchObject({
    canonical: { passed: 3, total: 3 },
    proven: 3,
    buggy: { passed: 0, total: 3 },
    problems: [],
  });
  expect(exitCode).toBe(0);
  const text = await readFile(dataset, 'utf8');
  await writeFile(dataset, text.replace('return x + 1', 'return x + 2'));
  const broken = await hefixHere(['verify', '--dataset', dataset]);
  expect(broken.stderr).toContain('small/1 canonical fails');
  expect(broken.exitCode).toBe(1);
});

test('verify exits with 0 if no solution can pass and none does', async () => {
  const { stdout, exitCode } = await hefixHere(['verify', '--dataset', 'bogus', '--limit', '2']);
  expect(JSON.parse(String(stdout))).toMatchObject({ canonical: { passed: 0, total: 2 }, sound: true });
  expect(exitCode).toBe(0);
});

test('the readable summary comes last on a terminal, and JSON only with --json', needs(linux), async () => {
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, 1);
  const args = ['--backend', 'scripted', '--model', script, '--dataset', dataset, '--iters', '1'];
  const [plain, json] = [join(folder, 'a.jsonl'), join(folder, 'b.jsonl')];
  const shown = await onTerminal([...args, '--out', plain]);
  expect(shown).toMatch(/✓ 1\/1 small\/0 passed in iteration 1, [\d.]+ s/u);
  expect(shown).toMatch(
    /solved +1\/1, [\s\S]*\r\ntime +wall time [\d.]+ s; sum over tasks [\s\S]*\r\nrecords in .*a\.jsonl\r\n$/u,
  );
  expect(shown).not.toContain('{"records"');
  expect(await onTerminal([...args, '--out', json, '--json'])).toMatch(/\{"records":.*\}\r\n$/);
});

/** What a terminal of 100 columns shows. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const program = 'import pty, sys; pty.spawn(sys.argv[1:])';
  const { stdout } = await execa(
    'python3',
    ['-c', program, process.execPath, packageFile('dist/bin/hefix.js'), ...args],
    { env: { NO_COLOR: '1', COLUMNS: '100' }, stdin: 'ignore', stripFinalNewline: false },
  );
  return String(stdout);
}

test('doctor lists everything that hefix can use', async () => {
  const { stdout, exitCode } = await hefixHere(['doctor', '--json']);
  const findings: { name: string; state: string }[] = JSON.parse(String(stdout));
  expect(findings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Node', 'Python', 'bubblewrap', 'Docker']),
  );
  expect(findings.find(({ name }) => name === 'Node')?.state).toBe('good');
  expect(exitCode).toBe(0);
});

test('doctor exits with 1 if hefix cannot run', async () => {
  const { stdout, exitCode } = await hefixHere(['doctor'], { env: { PATH: '/nowhere' } });
  expect(stdout).toContain('python3');
  expect(exitCode).toBe(1);
});

test('machine writes a file, as its name says', async () => {
  const folder = await temporaryFolder();
  const starts = {
    'm.svg': '<svg ',
    'm.png': '\x89PNG',
    'm.js': 'import { createMachine }',
    'a/m.json': '{\n',
  };
  for (const [name, start] of Object.entries(starts)) {
    const { exitCode, stdout } = await hefixHere(['machine', '--out', name], { cwd: folder });
    expect([exitCode, stdout]).toEqual([0, '']);
    expect((await readFile(join(folder, name), 'latin1')).slice(0, start.length)).toBe(start);
  }
});

test('machine prints the agent’s machine', async () => {
  const { stdout } = await hefixHere(['machine', '--format', 'json']);
  expect(Object.keys(JSON.parse(String(stdout)).states)).toContain('reflect');
});

test('models lists folders with an ONNX graph, and models of the hub, cached or not', async () => {
  const env = { HF_HUB_CACHE: await temporaryFolder() };
  const folder = packageFile('fixtures');
  const { stdout } = await hefixHere(['models', '--folder', folder, '--json'], { env });
  expect(JSON.parse(String(stdout))).toContainEqual({
    name: 'reference',
    id: null,
    parameters: null,
    licence: null,
    folder: packageFile('fixtures/reference'),
    bytes: expect.any(Number),
    exactness: [],
    batching: [],
    built: [],
  });
  const table = await hefixHere(['models', '--folder', folder], { env });
  expect(table.stdout).toMatch(
    /^qwen3-0\.6b +596M parameters +apache-2\.0 +Qwen\/Qwen3-0\.6B, not in the cache$/m,
  );
});
