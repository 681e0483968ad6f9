import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../lib/cli/commands.ts';
import { packageFile } from '../../lib/files/package.ts';
import { smallModelHub } from '../files/hub/small-model-hub.ts';
import { hefix, writeSmallSet } from '../support/cli.ts';
import { cleanMachine, type RunOptions, tracing } from '../support/footprint.ts';
import { needs } from '../support/needs.ts';
import { redisServer, startRedis } from '../support/redis.ts';
import { smallRun } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const python = 'home/.cache/hefix/python/#.json';
const isolation = 'home/.cache/hefix/isolation/#.json';
const controls = 'home/.cache/hefix/attack-controls/#.json';
const scripted = ['--backend', 'scripted', '--model', 'script.jsonl', '--dataset', 'small.jsonl'];

interface Scene {
  readonly args: readonly string[];
  readonly options?: RunOptions;
  /** All that is there afterwards. */
  readonly leaves: readonly string[];
  readonly says?: RegExp;
}

const call = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const area = 'def area(a, b):\n    return a * b\n';

/** The results of the scored samples are there before. */
const scenes: Readonly<Record<string, Scene>> = {
  exec: {
    args: ['exec', '--code', 'area.py', '--tests', 'test_area.py', '--entry-point', 'area'],
    leaves: [isolation, python],
  },
  'exec of JavaScript': {
    args: ['exec', '--code', 'area.js', '--tests', 'area.test.js', '--entry-point', 'area', '--lang', 'js'],
    leaves: [python],
  },
  score: {
    args: ['score', 'samples.jsonl', '--dataset', 'small.jsonl', '--out', 'scored.jsonl'],
    leaves: [python, 'work/scored.jsonl', 'work/scored.manifest.json'],
  },
  view: {
    args: ['view', 'r.jsonl', '--no-open'],
    options: { end: { signal: 'SIGINT', after: /Press Ctrl-C/ } },
    leaves: [],
    says: /http:\/\/127\.0\.0\.1/,
  },
  mcp: {
    args: ['mcp'],
    options: {
      end: { signal: 'SIGINT', after: /"id":2/ },
      input: [
        call(1, 'initialize', {
          ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        }),
        call(2, 'tools/call', {
          ...{
            name: 'run_with_tests',
            arguments: {
              language: 'python',
              code: area,
              tests: 'assert area(2, 3) == 6\n',
              entry_point: 'area',
            },
          },
        }),
      ].join(''),
    },
    leaves: [python],
    says: /"passed":true/,
  },
  'report --out .png': { args: ['report', 'r.jsonl', '--out', 'r.png'], leaves: ['work/r.png'] },
  models: { args: ['models'], leaves: [], says: /hefix-mini/ },
  doctor: { args: ['doctor'], leaves: [python], says: /graphs/ },
  verify: { args: ['verify', '--ts', '2'], leaves: [python], says: /2\/2 tasks verified/ },
  attack: {
    args: ['attack', '--lang', 'python', '--class', 'exits'],
    leaves: [...Array<string>(8).fill(controls), python],
  },
  machine: { args: ['machine', '--out', 'm.png'], leaves: ['work/m.png'] },
  sweep: {
    args: ['sweep', ...scripted, '--iters', '0..1', '--out', 's'],
    leaves: [
      ...[python, 'work/s/reflect.jsonl', 'work/s/reflect.manifest.json'],
      ...['csv', 'html', 'json', 'png', 'svg'].map(form => `work/s/sweep.${form}`),
    ],
  },
  compare: { args: ['compare', 'r.jsonl', 'r.jsonl'], leaves: [] },
  merge: {
    args: ['merge', 'r.jsonl', '--out', 'm.jsonl'],
    leaves: ['work/m.jsonl', 'work/m.manifest.json'],
  },
  export: { args: ['export', 'r.jsonl', '--out', 'r.parquet'], leaves: ['work/r.parquet'] },
  rerun: {
    args: ['rerun', 'r.manifest.json'],
    leaves: [python, 'work/r.rerun.jsonl', 'work/r.rerun.manifest.json'],
  },
  robust: { args: ['robust', 'r.jsonl'], leaves: [python], says: /behave like the reference/ },
  step: { args: ['step', ...scripted, '--task', 'small/0'], options: { input: 'a\n' }, leaves: [python] },
  trust: { args: ['trust', '--list'], leaves: [] },
  completion: { args: ['completion', 'bash'], leaves: [], says: /complete/ },
};

/** The commands that contact the servers that they are given, and those of footprint.test.ts. */
const others = ['pull', 'worker', 'queue', 'run', 'fix'];

test('every command has a test', () => {
  const tested = Object.keys(scenes).map(name => name.split(' ')[0]);
  expect([...new Set([...tested, ...others])].sort()).toEqual(commands.map(({ name }) => name).sort());
});

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'hefix-test-'));
  await fillProject(project);
});
afterAll(async () => await rm(project, { recursive: true }));

describe('contacts nobody, and leaves only what was asked for and hefix’s cache:', () => {
  test.each(Object.entries(scenes))('%s', async (_, { args, options, leaves, says }) => {
    const { run } = await cleanMachine(project);
    const { exitCode, files, contacts, stdout, stderr } = await run(args, options);
    expect(exitCode, stderr).toBe(0);
    if (says !== undefined) expect(stdout + stderr).toMatch(says);
    expect(contacts).toEqual([]);
    expect(files).toEqual(leaves);
  });

  test('a program that imports every dependency', async () => {
    const manifest = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    // The first is types only; isolated-vm starts in a process of its own, when JavaScript is judged.
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
      name => !/^@types\/|^isolated-vm/.test(name),
    );
    const { resolve } = createRequire(packageFile('package.json'));
    const program = join(await temporaryFolder(), 'program.mjs');
    // Some have the name of a module of Node.js.
    const urls = names.map(name => pathToFileURL(resolve(isBuiltin(name) ? `${name}/` : name)).href);
    await writeFile(program, urls.map(url => `import '${url}';\n`).join(''));
    const { runProgram } = await cleanMachine();
    const { exitCode, files, contacts, stderr } = await runProgram(program);
    expect(exitCode, stderr).toBe(0);
    expect(contacts).toEqual([]);
    expect(files).toEqual([]);
  });
});

describe('contacts the servers that it was given, and nobody else:', needs(tracing), () => {
  test('pull', async () => {
    const hub = await smallModelHub('some-org/some-model');
    const { run } = await cleanMachine();
    const args = ['pull', 'some-org/some-model', '--dtype', 'q4'];
    const { exitCode, files, contacts, stderr } = await run(args, { env: { HF_ENDPOINT: hub.endpoint } });
    expect(exitCode, stderr).toBe(0);
    expect(new Set(contacts)).toEqual(new Set([new URL(hub.endpoint).host]));
    // What was downloaded, where Python's tools look for it too, and what was built of it.
    const folders = files.map(name =>
      name
        .split('/')
        .slice(0, 5)
        .join('/')
        .replace(/-[0-9a-f#]*#.*/, ''),
    );
    expect([...new Set(folders)]).toEqual([
      'home/.cache/hefix/models/some-org--some-model',
      'home/.cache/huggingface/hub/models--some-org--some-model',
    ]);
  });

  test('worker, queue', needs(redisServer), async () => {
    const redis = await startRedis('--appendonly', 'yes');
    try {
      const { args, out } = await smallRun(1);
      const queue = ['--queue', redis.url];
      const filled = hefix([...args, '--out', out, ...queue]);
      const { run } = await cleanMachine();
      const worked = await run(['worker', '--once', ...queue]);
      expect(worked.exitCode, worked.stderr).toBe(0);
      expect((await filled).exitCode).toBe(0);
      expect(new Set(worked.contacts)).toEqual(new Set([`127.0.0.1:${redis.port}`]));
      expect(worked.files).toEqual([python]);
      const shown = await run(['queue', 'status', ...queue]);
      expect(shown.exitCode, shown.stderr).toBe(0);
      expect(new Set(shown.contacts)).toEqual(new Set([`127.0.0.1:${redis.port}`]));
      expect(shown.files).toEqual([python]);
    } finally {
      await redis.close();
    }
  });
});

describe('what an ended run leaves is removed by the next one:', () => {
  const results = (name: string) => [`work/results/${name}.jsonl`, `work/results/${name}.manifest.json`];
  const weakest = ['--isolation', 'ulimit'];

  test.each([
    ['SIGKILL', ['work/results/a.jsonl.lock']],
    ['SIGINT', []],
  ] as const)('%s', async (signal, leaves) => {
    const { args } = await smallRun(60);
    const { run } = await cleanMachine();
    const end = { signal, after: 'results/a.jsonl' };
    const ended = await run([...args, ...weakest, '--out', 'results/a.jsonl'], { end });
    const kept = [python, ...results('a')];
    // Candidates that are running have a folder.
    const others = ended.files.filter(name => !/^tmp\/hefix-jail-/.test(name));
    expect(others).toEqual([...kept, ...leaves].sort());
    const next = await run([...args, ...weakest, '--ts', '1', '--out', 'results/b.jsonl']);
    expect(next.exitCode, next.stderr).toBe(0);
    expect(next.files).toEqual([...kept, ...results('b')]);
    expect([...ended.contacts, ...next.contacts]).toEqual([]);
  });
});

/** Writes a candidate, its tests, results and samples. */
async function fillProject(folder: string): Promise<void> {
  await writeSmallSet(folder, 1);
  await hefix(['run', ...scripted, '--iters', '2', '--out', 'r.jsonl'], { cwd: folder });
  const files = {
    ...{ 'area.py': area, 'test_area.py': 'assert area(2, 3) == 6\n' },
    'area.js': 'function area(a, b) {\n  return a * b;\n}\n',
    'area.test.js': "const assert = require('node:assert');\nassert.strictEqual(area(2, 3), 6);\n",
    'samples.jsonl': `${JSON.stringify({ task_id: 'small/0', completion: '    return x + 0\n' })}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

test('fix leaves hefix’s cache, and contacts nobody', async () => {
  const { run } = await cleanMachine(packageFile('fixtures/projects/leap-year'));
  const { exitCode, files, contacts } = await run(['fix', '.']);
  expect(exitCode).toBe(0);
  expect(contacts).toEqual([]);
  expect(files).toEqual([
    'home/.cache/hefix/changes/#.json',
    'home/.cache/hefix/graphs/#.#.#-#-#/model.onnx',
    python,
  ]);
});
