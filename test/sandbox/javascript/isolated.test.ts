import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

const failing = [
  ['gives a wrong value', 'const f = n => n', 'failed'],
  ['does not parse', 'const f = n => {', 'syntax'],
  ['has another name', 'const g = n => n', 'signature'],
  ['throws', 'function f() {\n  null.x;\n}', 'raised'],
  ['throws while it loads', 'throw new TypeError("no")', 'raised'],
  ['never returns', 'const f = () => { for (;;); }', 'timeout'],
  ['never settles', 'const f = () => new Promise(() => {})', 'failed'],
  ['exits', 'const f = () => process.exit(0)', 'exited'],
  ['exits behind our back', 'const f = () => process.reallyExit(0)', 'exited'],
  ['aborts', 'const f = () => process.abort()', 'exited'],
  [
    'takes all memory',
    'const f = () => { const all = []; for (;;) all.push(new Array(1e6).fill(1.5)) }',
    'memory',
  ],
  ['closes the channel', "const f = n => { require('fs').closeSync(3); return n + 1 }", 'exited'],
  [
    'writes nonsense to the channel',
    "const f = n => { require('fs').writeSync(3, 'nonsense'); return n }",
    'exited',
  ],
  [
    'writes a verdict to the channel',
    `const f = n => {
      const text = JSON.stringify({ kind: 'verdict', verdict: { kind: 'passed', message: 'All tests passed.' } });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(text));
      require('fs').writeSync(3, Buffer.concat([length, Buffer.from(text)]));
      return n;
    }`,
    'exited',
  ],
] as const;

/** Programs that two processes cannot judge: tests and candidate share their globals here. */
const honest = [
  [
    'a patched global',
    'const f = async url => (await fetch(url)).status',
    "globalThis.fetch = async () => ({ status: 201 });\nf('x').then(status => console.assert(status === 201))",
  ],
  [
    'a file that the tests write',
    "const fs = require('fs');\nconst f = path => fs.readFileSync(path, 'utf8').length",
    "require('fs').writeFileSync('x.txt', 'four');\nconsole.assert(f('x.txt') === 4)",
  ],
  [
    'a Buffer and a stream',
    'const f = (buffer, stream) => stream.push(buffer)',
    "const { Readable } = require('stream');\nconst r = new Readable({ read() {} });\nf(Buffer.from('ab'), r);\nconsole.assert(r.read().toString() === 'ab')",
  ],
  [
    "a subclass of the candidate's class",
    'class f { greet() { return "I am " + this.name() } name() { return "base" } }',
    'class g extends f { name() { return "child" } }\nconsole.assert(new g().greet() === "I am child")',
  ],
  [
    'names that only the candidate defines',
    'const LIMIT = 5;\nconst f = n => Math.min(n, LIMIT)',
    'console.assert(f(9) === LIMIT)',
  ],
  [
    'patched time',
    'const f = () => new Date().getFullYear()',
    'const Real = Date;\nglobalThis.Date = class extends Real { constructor() { super(0) } };\nconsole.assert(f() === 1970)',
  ],
  [
    'a module of node:test',
    'exports.f = n => n + 1',
    "const test = require('node:test');\nconst assert = require('assert');\nconst { f } = require('./solution');\ntest('adds', async () => { await null; assert.strictEqual(f(1), 2) })",
  ],
] as const;

/** Programs that attack what gives the verdict. */
const forgeries = {
  'replaces the assertions':
    "Object.assign(require('assert'), { strictEqual() {}, ok() {} }); console.assert = () => {}; const f = n => n",
  'replaces the assertions of the console':
    'console.assert = () => {}; globalThis.console = { assert() {} }; const f = n => n + (n === 1)',
  'leaves with success': 'process.reallyExit(0); const f = n => n',
  'leaves with success at the end':
    "const f = n => { process.on('exit', () => process.reallyExit(0)); return n }",
  'takes over the writing of reports': "const fs = require('fs'); fs.writeSync = () => 0; const f = n => n",
  'handles every error':
    "process.removeAllListeners('uncaughtException'); process.on('uncaughtException', () => {}); const f = n => n",
} as const;

/** Attacks on the runner, and programs that only look like them; their tests hand over a function. */
const programs = readFileSync(packageFile('fixtures/attacks/cases/javascript-process.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Record<'id' | 'kind' | 'code' | 'tests' | 'declaration', string>);

describe('candidate and tests in one process', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createJavaScriptSandbox({ timeoutSeconds: 3, memoryMiB: 128, poolSize: 0 });
  });
  afterAll(() => sandbox.close());

  const judge = (candidate: string, tests: string) =>
    sandbox.execute({ language: 'js', candidate, tests, entryPoint: 'f', judge: 'isolated' });

  test.each(honest)('%s passes', async (_, candidate, tests) => {
    const { verdict, judge: kind } = await judge(candidate, tests);
    expect(verdict).toEqual({ kind: 'passed', message: 'All tests passed.' });
    expect(kind).toBe('isolated');
  });

  test.for(Object.entries(forgeries))('a candidate that %s does not pass', async ([, program]) => {
    const tests =
      "const assert = require('assert');\nassert.strictEqual(f(1), 2);\nconsole.assert(f(3) === 4)";
    const { verdict } = await judge(program, tests);
    expect(verdict.kind).not.toBe('passed');
  });

  test.concurrent.for(programs)('$id', async ({ kind, code: candidate, tests, declaration }) => {
    const execution = await sandbox.execute({
      language: 'js',
      candidate,
      tests,
      declaration,
      entryPoint: 'f',
    });
    expect(execution.judge).toBe('isolated');
    expect(execution.verdict.kind === 'passed', execution.verdict.message).toBe(kind === 'honest');
  });

  test.each(failing)('a candidate that %s does not pass', async (_, candidate, kind) => {
    const { verdict } = await judge(candidate, 'Promise.resolve(f(1)).then(n => console.assert(n === 2))');
    expect(verdict).toMatchObject({ kind });
  });

  test('a failed assertion has its line and values, an exception the candidate’s line', async () => {
    const { verdict } = await judge('const f = n => n', '\nconsole.assert(f(1) === 2)');
    expect(verdict).toMatchObject({ kind: 'failed', expected: '2', actual: '1', test: { line: 2 } });
    const { verdict: raised } = await judge('const f = n => {\n  n.x.y;\n}', 'console.assert(f(1) === 2)');
    expect(raised).toMatchObject({
      kind: 'raised',
      exception: { type: 'TypeError', line: 2 },
      test: { line: 1 },
    });
  });

  test('candidates cannot start a program: the kernel refuses, whether it is there or not', async () => {
    const candidate = "const f = path => require('child_process').spawnSync(path).error?.code";
    const { verdict } = await judge(
      candidate,
      "console.assert(f('/nowhere') === 'EPERM' && f('/bin/sh') === 'EPERM')",
    );
    expect(verdict).toMatchObject({ kind: 'passed' });
  });

  test('keeps the candidate’s output', async () => {
    const { stdout } = await judge(
      'const f = n => { console.log("seen", n); return 2 }',
      'console.assert(f(1) === 2)',
    );
    expect(stdout).toBe('seen 1\n');
  });

  test('refuses tests that would not run, by name', async () => {
    const tests = 'console.assert(f(1) === 1);\nfunction more() { console.assert(f(2) === 3) }';
    await expect(judge('const f = n => n', tests)).rejects.toMatchObject({ code: 'TESTS_INVALID' });
  });
});
