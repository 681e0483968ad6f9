import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { loadDataset } from '../dataset/load.ts';
import { checkHost } from '../lib/cli/doctor/check-host.ts';
import { toolError } from '../lib/extra/mcp/errors.ts';
import { excessIn } from '../lib/fix/localise/excess.ts';
import { functionsIn } from '../lib/fix/localise/functions.ts';
import { rankSuspects } from '../lib/fix/localise/suspects.ts';
import { readSource } from '../lib/fix/patch/source-file.ts';
import { instrumented } from '../lib/fix/runners/instrumented.ts';
import { openModelFolder } from '../lib/model/model-folder.ts';
import { docstringExamples, typedExamples } from '../lib/repair/examples/examples.ts';
import { readLiteral } from '../lib/repair/examples/literals.ts';
import { enumerateEdits } from '../lib/repair/operators/enumerate.ts';
import { noFacts, noNames } from '../lib/repair/operators/facts.ts';
import { projectEdits } from '../lib/repair/operators/operators.ts';
import { readManifest } from '../lib/report/results/manifest.ts';
import { readSamples } from '../lib/run/score/read-samples.ts';
import { nodesIn } from '../lib/sandbox/javascript/tests/syntax-tree.ts';
import { dedent } from '../lib/syntax/code-blocks.ts';
import { withoutMargin } from '../lib/syntax/docstring.ts';
import { editOutline } from '../lib/syntax/edits/edits.ts';
import { openParser, openTypeScriptParser } from '../lib/syntax/parser.ts';
import { connected } from './extra/mcp/connected.ts';
import { hefixHere } from './support/cli.ts';
import { programFolder, temporaryFolder } from './support/temporary-folder.ts';

/** Input that once stopped hefix, took all memory, or made it end with INTERNAL; each test takes a second or two. */
vi.setConfig({ testTimeout: 60_000 });

const python = await openParser('python');
const javascript = await openParser('js');

/** A pipe that nobody writes to. */
async function pipe(name: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await execa('mkfifo', [path]);
  return path;
}

test.each([
  ['samples', 'SAMPLES_NOT_READABLE', async () => await readSamples(await pipe('s.jsonl'))],
  ['samples from a device', 'SAMPLES_NOT_READABLE', () => readSamples('/dev/zero')],
  ['a dataset', 'DATASET_NOT_READABLE', async () => await loadDataset(await pipe('d.jsonl'))],
  ['a manifest', 'MANIFEST_UNUSABLE', async () => await readManifest(await pipe('r.manifest.json'))],
  [
    'the configuration of a model',
    'MODEL_FILE_INVALID',
    async () => await openModelFolder(join(await pipe('config.json'), '..')),
  ],
])('%s that never ends is an error', async (_, code, read) => {
  await expect(read()).rejects.toMatchObject({ code });
});

test('programs of the host are started outside of the current folder, whose files they would read', async () => {
  const folder = await programFolder();
  const log = join(folder, 'log');
  for (const name of ['go', 'rustc', 'g++', 'javac', 'bwrap', 'docker']) {
    await writeFile(join(folder, name), `#!/bin/sh\npwd >> '${log}'\necho ${name} 99.0.0\n`);
    await chmod(join(folder, name), 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  try {
    await checkHost({ cache: folder, environment: {} });
  } finally {
    process.env.PATH = PATH;
  }
  const { stdout } = await execa('sort', ['-u', log]);
  expect(stdout).toBe('/');
});

const nested = (count: number) => `${'('.repeat(count)}x${')'.repeat(count)}`;

test.each([
  ['python', python, `def f(x):\n    return ${nested(20_000)}\n`],
  ['js', javascript, `function f(x) { return ${nested(20_000)}; }\n`],
  ['a chain of else', javascript, `function f(x) { ${'if (x > 5) return 1; else '.repeat(3000)} return x; }`],
  ['more than a MiB', python, `def f(x):\n    return x\n${'# a\n'.repeat(300_000)}`],
])('code nested too deeply has no functions and no edits: %s', (_, parser, code) => {
  const file = readSource('a.py', Buffer.from(code));
  expect(functionsIn(parser, file)).toEqual([]);
  expect([...enumerateEdits(parser, code, 'f', 100)]).toEqual([]);
});

test.each([
  [
    'characters',
    `def f(x):\n    return x\n${'# a\n'.repeat(300_000)}`,
    'a.py has more than 1048576 characters',
  ],
  ['levels', `def f(x):\n    return ${nested(2000)}\n`, 'a.py is nested deeper than 500 levels'],
  // On a busy machine the time is up before.
  [
    'nodes',
    `x = [${'1,'.repeat(70_000)}1]\n`,
    'a.py (?:has more than 131072 syntax nodes|takes too long to parse)',
  ],
  [
    'nodes of a function',
    `def f(x):\n${'    x += 1\n'.repeat(8000)}`,
    'f in a.py has more than 32768 syntax nodes',
  ],
])('what has too many %s is not repaired, and a note says so', (_, code, sentence) => {
  const file = readSource('a.py', Buffer.from(code));
  expect(functionsIn(python, file)).toEqual([]);
  expect(excessIn(python, file)).toEqual([expect.stringMatching(`${sentence}, so that`)]);
  expect(excessIn(python, readSource('b.py', Buffer.from('def f(x):\n    return x\n')))).toEqual([]);
});

test.each([
  ['a list of 400,000 numbers', `x = [${'1,'.repeat(400_000)}1]\n`],
  ['signs', '$?!;@'.repeat(100_000)],
])('the parser stops, and says so, in %s', (_, code) => {
  const before = process.cpuUsage();
  expect(python.excessOf(code)).toBe('takes too long to parse');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(1.5);
  expect(python.parses(code)).toBe(false);
  // The next text is parsed from its start.
  expect(python.statements('x = 1\n').map(({ defines }) => defines)).toEqual([['x']]);
});

test.each(['a<', 'a<b,', 'a < b, '])('lists of types that never end use up no memory: %s', async text => {
  for (const parser of [await openParser('java'), await openTypeScriptParser(false)])
    expect(parser.excessOf(text.repeat(16_384))).toBe('takes too long to parse');
});

test('comparisons are no lists of types', async () => {
  for (const parser of [await openParser('python'), await openTypeScriptParser(false)])
    expect(parser.excessOf('a < b;\n'.repeat(2000))).toBeNull();
  expect((await openParser('python')).excessOf('a < b\n'.repeat(2000))).toBeNull();
});

test('lists of types that go on beyond a statement of Java leave its parser usable', async () => {
  const java = await openParser('java');
  expect(java.excessOf('a<;'.repeat(2700))).toBe('takes too long to parse');
  expect(java.parses('class A {}')).toBe(true);
});

test('a long text has one tree for each time that it is opened', () => {
  const code = 'x = 1\n'.repeat(10_000);
  const [one, other] = [python.open(code), python.open(code)];
  one.close();
  expect(python.read('y = 2\n'.repeat(10_000), root => root.namedChildCount)).toBe(10_000);
  expect(other.root.text).toBe(code);
  other.close();
});

test('edits of a function of 2,000 lines come one by one', async () => {
  const code = `def f(x):\n${'    x = x + 1 - 1\n'.repeat(2000)}    return x\n`;
  const project = {
    kind: 'function',
    names: noNames,
    failures: noFacts,
    weightOf: () => 1,
    edits: await projectEdits('python'),
  } as const;
  const edits = enumerateEdits(python, code, 'f', 50, project);
  const found = [];
  for (let step = 0; step < 100_000 && found.length < 3; step++) {
    const { value } = edits.next();
    if (value) found.push(value);
  }
  edits.return(undefined);
  expect(found).toHaveLength(3);
});

test('5,000 functions are ranked by tests that execute all their lines', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `def g${at}(x):\n    return x\n`).join('');
  const functions = functionsIn(python, readSource('a.py', Buffer.from(text)));
  const lines = { 'a.py': Array.from({ length: 10_000 }, (_, at) => at + 1) };
  const tests = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, outcome: 'failed' as const, lines }));
  expect(rankSuspects(functions, tests)).toHaveLength(4096);
});

test('10,000 statements of JavaScript are instrumented', () => {
  const code = `function f(x) {\n${'  x += 1;\n'.repeat(10_000)}}\n`;
  expect(instrumented(javascript, 'a.js', code)?.match(/__hefix\(/g)).toHaveLength(10_000);
});

test('lists of more than 125,000 numbers are walked through', () => {
  const element = { type: 'Literal', start: 0, end: 1 };
  const tree = { type: 'ArrayExpression', start: 0, end: 1, elements: Array(150_000).fill(element) };
  expect(nodesIn(tree as never)).toHaveLength(150_001);
});

test('a line of 1,600 tokens has no outline of its edits', () => {
  expect(editOutline(`def f(x):\n    return ${nested(800)}\n`)).toBeNull();
});

test.each(['[', '(', '{'])('values nested 20,000 times with %s are none', async open => {
  expect(readLiteral(open.repeat(20_000), 0, { language: 'python', typed: null })).toBeNull();
  expect(
    readLiteral(open.repeat(20_000), 0, { language: 'go', typed: await typedExamples('go') }),
  ).toBeNull();
});

const task = { entryPoint: 'f', language: 'python', declaration: 'def f(a):\n', buggy: '' } as const;

test.each([
  ['a doctest with 100,000 lines below', `>>> f(1)\n${'[\n'.repeat(100_000)}`],
  ['calls in calls', 'f([f(['.repeat(40_000)],
  ['named inputs', 'for a=1 '.repeat(30_000)],
  ['announced outputs', `for a=1 ${'output '.repeat(30_000)}`],
  ['a character beyond Unicode', '>>> f("\\uffffff")\n2\n'],
])('examples are looked for in %s', async (name, docstring) => {
  expect(await docstringExamples(python, { ...task, docstring })).toHaveLength(
    name.startsWith('a char') ? 1 : 0,
  );
});

test('the margin of 200,000 lines is found', () => {
  expect(dedent('  a\n'.repeat(200_000)).length).toBe(400_000);
  expect(withoutMargin('  a\n'.repeat(200_000)).length).toBe(399_999);
});

test.each([
  ['run_with_tests', { language: 'python', code: 'x', tests: 'x', entry_point: 'a'.repeat(1001) }],
  ['fix_function', { code: 'x', tests: 'x', entry_point: 'a'.repeat(201) }],
  ['fix_project', { path: 'a'.repeat(5000) }],
  ['fix_project', { path: '.', tests: ['a'.repeat(5000)] }],
])('a name that is too long is refused: %s', async (name, input) => {
  const { client } = await connected({ allow: await temporaryFolder() });
  const answer = await client.callTool({ name, arguments: input });
  expect([answer.isError, JSON.stringify(answer.content)]).toEqual([
    true,
    expect.stringContaining('Too big'),
  ]);
});

test.each([
  ['WORKING_FOLDER_MISSING', { code: 'ENOENT', syscall: 'uv_cwd' }],
  ['TOO_MANY_FILES', { code: 'EMFILE', syscall: 'open' }],
  ['PATH_TOO_LONG', { code: 'ENAMETOOLONG', syscall: 'stat' }],
])('a refusal of the system is no bug of hefix: %s', (code, fields) => {
  expect(toolError(Object.assign(new Error('refused'), fields)).code).toBe(code);
});

test.each([['--tasks', 'x'.repeat(40_000)], ['fix', 'x'.repeat(40_000)], ['x'.repeat(40_000)]])(
  'an argument that is too long is refused in a short sentence (%#)',
  async (...args) => {
    const { exitCode, stderr } = await hefixHere(args);
    expect([exitCode, stderr.length < 400]).toEqual([1, true]);
    expect(stderr).toContain('x… has 40000 characters; hefix reads at most 32768. [ARGUMENT_TOO_LONG]');
  },
);

test.each([['trust'], ['report'], ['view'], ['models', '--remove'], ['fix']])(
  'a path that is longer than the system allows is no bug of hefix: %s',
  async (...args) => {
    const { exitCode, stderr } = await hefixHere([...args, '/x'.repeat(5_000)], {
      cwd: await temporaryFolder(),
    });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).not.toContain('INTERNAL');
  },
);
