import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createJavaScriptSandbox({ timeoutSeconds: 20, memoryMiB: 256 });
});
afterAll(() => sandbox.close());

const run = (candidate: string, tests: string, declaration = '') =>
  sandbox.execute({ language: 'js', entryPoint: 'f', candidate, tests, declaration });

const requireAssert = "const assert = require('assert');\n";

/** Tests that pass with plain data, and their candidate. */
const plain: Readonly<Record<string, readonly [candidate: string, tests: string, declaration?: string]>> = {
  'a number': ['const f = x => 2 * x', 'console.assert(f(2) === 4)'],
  'lists, maps and dates': [
    'const f = x => [x, new Map([[1, new Set([2])]]), new Date(0)]',
    'assert.deepStrictEqual(f(/a/g), [/a/g, new Map([[1, new Set([2])]]), new Date(0)])',
  ],
  'a list changed in place': [
    'const f = x => { x.sort() }',
    'const list = [2, 1]; f(list); assert.deepStrictEqual(list, [1, 2])',
  ],
  'a changed list that is handed over again': [
    'const f = xs => xs.push(0)',
    'const xs = []; f(xs); assert.strictEqual(f(xs), 2); assert.deepStrictEqual(xs, [0, 0])',
  ],
  'a shallow copy of nested lists': [
    'const f = xs => xs.map(row => [...row])',
    'const xs = [[1], [2]]; const want = xs.slice(); assert.deepStrictEqual(f(xs), want)',
  ],
  'arguments that cannot change': [
    'const f = x => x + x',
    "for (const x of [1, 'a']) assert.strictEqual(f(x), x + x)",
  ],
  'what is expected before the call': [
    'const f = xs => [...xs].sort()',
    'const xs = [2, 1]; const want = [...xs].sort(); assert.deepStrictEqual(f(xs), want)',
  ],
  'cases of arguments and expected values': [
    'const f = xs => [...xs].sort()',
    'for (const one of [{ of: [2, 1], is: [1, 2] }]) assert.deepStrictEqual(f(one.of), one.is)',
  ],
  'an exception': [
    'class Bad extends RangeError { code = 7 }\nconst f = () => { throw Object.assign(new Bad("no"), { at: [1] }) }',
    "assert.throws(() => f(), e => e instanceof RangeError && e.constructor.name === 'Bad' && e.code === 7 && e.at[0] === 1)",
  ],
  'a promise that tests await': [
    'const f = async x => { await new Promise(go => setTimeout(go, 5)); return 2 * x }',
    '(async () => assert.deepStrictEqual(await Promise.all([f(1), f(2)]), [2, 4]))()',
  ],
  'a generator that tests walk': [
    'function* f(n) { while (n > 0) yield n--; return 0 }',
    'const steps = f(2); assert.strictEqual(steps.next().value, 2); assert.deepStrictEqual([...f(3)], [3, 2, 1])',
  ],
  'an instance of a declared class': [
    'class P { constructor(x) { this.x = x } }\nconst f = p => new P(p.x + 1)',
    'assert.deepStrictEqual(f(new P(1)), new P(2))',
    'class P { constructor(x) { this.x = x } }\nconst f = (p) => {',
  ],
};

test.for(Object.entries(plain))('proven: %s', async ([, [candidate, tests, declaration]]) => {
  const { verdict, judge } = await run(candidate, requireAssert + tests, declaration);
  expect(verdict).toEqual({ kind: 'passed', message: 'All tests passed.' });
  expect(judge).toBe('proven');
});

test('of an iterator, the tests get at most 10,000 values', async () => {
  const candidate = 'function* f() { for (let n = 0; ; n++) yield n }';
  const walking = (values: number) =>
    `let last; for (const n of f()) { last = n; if (n === ${values - 1}) break; } assert.strictEqual(last, ${values - 1})`;
  expect(await run(candidate, requireAssert + walking(10_000))).toMatchObject({
    verdict: { kind: 'passed' },
    judge: 'proven',
  });
  expect(await run(candidate, requireAssert + walking(10_001))).not.toMatchObject({
    verdict: { kind: 'passed' },
  });
});

/** Tests that need one process, and a candidate that passes them there. */
const others: typeof plain = {
  'an argument given back': ['const f = x => x', 'const list = [1]; assert.strictEqual(f(list), list)'],
  'a result that is compared with a result': [
    'const f = x => x',
    'assert.strictEqual(f(f(2)), f(2)); assert.strictEqual(f(1), 1)',
  ],
  'a result that is compared with its argument': [
    'const f = (xs, x) => xs.push(x)',
    'const xs = [1]; assert.strictEqual(f(xs, 2), xs.length)',
  ],
  'an argument that is read after the call': [
    'const f = xs => xs.map(x => 2 * x)',
    'const xs = [1]; const got = f(xs); const want = xs.map(x => 2 * x); assert.deepStrictEqual(got, want)',
  ],
  'a test that may skip itself': [
    'const f = x => x',
    "const { test } = require('node:test'); test('f', t => { if (f(1) === null) return t.skip(); assert.equal(f(1), 1) })",
  ],
  'a callback': ['const f = (xs, g) => xs.map(g)', 'assert.deepStrictEqual(f([1], x => x + 1), [2])'],
  'a callback that only the run shows': [
    'const f = ([g]) => g(1)',
    'const held = [x => x + 1]; assert.strictEqual(f(held), 2)',
  ],
  'an object of their own': [
    'const f = one => one.next()',
    'class One { next() { return 2 } }\nassert.strictEqual(f(new One()), 2)',
  ],
  'a class': ['class f { x = 1 }', 'assert.strictEqual(new f().x, 1)'],
  'a function as a result': ['const f = a => b => a + b', 'assert.strictEqual(f(1)(2), 3)'],
  'an object with methods': [
    'const f = () => { let n = 0; return { add: () => ++n } }',
    'const counter = f(); counter.add(); assert.strictEqual(counter.add(), 2)',
  ],
  'a changed global': ['const f = () => Date.now()', 'Date.now = () => 5; assert.strictEqual(f(), 5)'],
  'the environment': [
    'const f = () => process.env.MODE',
    "process.env.MODE = 'a'; assert.strictEqual(f(), 'a')",
  ],
  'a mock': [
    'const f = g => g(1)',
    "const { mock } = require('node:test'); const g = mock.fn(); f(g); assert.strictEqual(g.mock.callCount(), 1)",
  ],
  'a variable of the declaration': [
    'let calls = 0\nconst f = () => { calls++ }',
    'f(); assert.strictEqual(calls, 1); calls = 5; f(); assert.strictEqual(calls, 6)',
    'let calls = 0\nconst f = () => {',
  ],
  'another name of the candidate': ['const f = x => x + K\nconst K = 2', 'assert.strictEqual(f(1), 1 + K)'],
  'code from text': ['const f = x => 2 * x', "assert.strictEqual(eval('f(2)'), 4)"],
  'code from text that only the run shows': [
    "const f = () => '2'",
    "const make = (async () => {}).constructor; make('return ' + f(1))().then(made => assert.strictEqual(made, 2))",
  ],
  'eval by another name': ["const f = () => '2'", "assert.strictEqual(globalThis['ev' + 'al'](f(1)), 2)"],
  'a module that runs code, required by another name': [
    "const f = () => '2'",
    "const get = require; assert.strictEqual(get('vm').runInThisContext(f(1)), 2)",
  ],
  'a module that runs code, not required': [
    "const f = () => '2'",
    "assert.strictEqual(process.getBuiltinModule('vm').runInThisContext(f(1)), 2)",
  ],
  'a function that a value names': [
    'const f = (op, a, b) => (op === "+" ? a + b : a - b)',
    "const ops = { '+': (a, b) => a + b }; for (const op of Object.keys(ops)) assert.strictEqual(f(op, 1, 2), ops[op](1, 2))",
  ],
  'a function that a value names, by another name': [
    "const f = x => x === 'kind' ? 'same' : x",
    "const checks = { same: x => assert.strictEqual(x, 1) }; const check = checks[f('kind')]; check(f(1))",
  ],
  'an option of a test that is a result': [
    "const f = x => x === 'skip' ? false : x",
    "const { test: check } = require('node:test'); const skip = f('skip'); check('one', { skip }, () => assert.strictEqual(f(1), 1))",
  ],
  'the names of a result': [
    'const f = x => ({ got: x })',
    'const got = 2; with (f(1)) { assert.strictEqual(got, 1) }',
  ],
  'a module that is not on the list': [
    'const f = () => 1',
    "const v8 = require('v8'); assert.strictEqual(v8.deserialize(v8.serialize(f())), 1)",
  ],
};

test.for(Object.entries(others))('isolated: %s', async ([, [candidate, tests, declaration]]) => {
  const { verdict, judge } = await run(candidate, requireAssert + tests, declaration);
  expect(verdict).toEqual({ kind: 'passed', message: 'All tests passed.' });
  expect(judge).toBe('isolated');
  // The same tests have the same judge, whatever the candidate is.
  const wrong = await run(
    'const f = () => 0; const K = 7; let calls = 0',
    requireAssert + tests,
    declaration,
  );
  expect(wrong.verdict.kind).not.toBe('passed');
  expect(wrong.judge).toBe('isolated');
});

test.for([
  ['const f = () => ({ valueOf: () => 4 })', 'a function'],
  ['const f = () => Object.assign([4], { includes: () => true })', 'a function'],
  ['class N { n = 4 }\nconst f = () => new N()', 'an instance of N'],
  ['const f = () => new Proxy([], {})', 'a Proxy'],
  ['const f = async () => 4', 'an instance of Promise'],
  ['const f = () => ({ get n() { return 4 } })', 'an object whose n is computed by a function'],
])('a result that is not plain data fails: %s', async ([candidate = '', what]) => {
  const { verdict, judge } = await run(candidate, 'console.assert(f(2))');
  expect(verdict).toMatchObject({
    kind: 'not-serializable',
    message: `f(2) returned ${what}, which is not plain data.`,
  });
  expect(judge).toBe('proven');
});

describe('what plain functions use of Node', () => {
  test.for([
    ["Buffer.from('hi').toString('base64')", 'aGk='],
    ["Buffer.concat([Buffer.from('a'), Buffer.alloc(1, 98)]).toString('hex')", '6162'],
    ["Buffer.from('ff00', 'hex').readUInt16BE(0)", 65280],
    ["new URL('../c?q=1#h', 'http://x.y/a/b').href", 'http://x.y/c?q=1#h'],
    ["[...new URLSearchParams('a=1&b=2')].join(';')", 'a,1;b,2'],
    ["new TextDecoder().decode(new TextEncoder().encode('é')).length", 1],
    ['structuredClone(new Map([[1, [2]]])).get(1)[0]', 2],
    ["atob(btoa('xyz'))", 'xyz'],
    ["require('path').join('/a', '../b', 'c.txt')", '/b/c.txt'],
    ["require('node:path').posix.basename('/x/y.js', '.js')", 'y'],
    ["require('util').inspect({ a: [1] })", '{ a: [ 1 ] }'],
    ["require('util').format('%s=%d', 'a', 1)", 'a=1'],
    ["require('util').isDeepStrictEqual([1], [1])", true],
    ["require('querystring').stringify({ a: 1, b: ['x', 'y'] })", 'a=1&b=x&b=y'],
    [
      "(() => { const e = new (require('events'))(); let n = 0; e.on('x', v => n += v); e.emit('x', 2); return n })()",
      2,
    ],
    ["require('crypto').createHash('sha1').update('a').digest('hex').slice(0, 8)", '86f7e437'],
    ["require('crypto').createHmac('md5', 'k').update('a').digest().length", 16],
    ["require('crypto').randomUUID().length + crypto.randomUUID().split('-').length", 41],
    ["require('js-md5')('a').slice(0, 4)", '0cc1'],
    ["Buffer.from('eD8_', 'base64url').toString('base64url') + Buffer.from('x').toString()", 'eD8_x'],
    ["(() => { try { new URL('x') } catch (e) { return e.name + e.code } })()", 'TypeErrorERR_INVALID_URL'],
    ["require('url').fileURLToPath(require('url').pathToFileURL('/a b'))", '/a b'],
    ["require('path').win32.basename('C:/a/b.txt')", 'b.txt'],
    ["require('util').inspect(new (class Foo { a = 1 })())", 'Foo { a: 1 }'],
    ["require('util/types').isMap(new Map()) && require('util').types.isRegExp(/a/)", true],
    ["require('crypto').pbkdf2Sync('p', 's', 1, 4, 'sha1').toString('hex')", '843c87e7'],
    [
      "(() => { const h = require('crypto').createHash('md5').update('a'); h.copy().update('b'); return h.digest('hex').slice(0, 4) })()",
      '0cc1',
    ],
    ['(() => { try { structuredClone(() => {}) } catch (e) { return e.name } })()', 'DataCloneError'],
  ] as const)('%s', async ([expression, value]) => {
    const { verdict, judge } = await run(
      `const f = () => ${expression}`,
      `${requireAssert}assert.strictEqual(f(), ${JSON.stringify(value)})`,
    );
    expect(verdict).toMatchObject({ kind: 'passed' });
    expect(judge).toBe('proven');
  });

  test.for([
    ["require('fs').readFileSync('x')", "Node's module fs"],
    ["fetch('x')", "Node's fetch"],
    ["require('util').debuglog('a')", "Node's util.debuglog"],
    ["require('crypto').createCipheriv('aes-128-cbc', '', '')", "Node's crypto.createCipheriv"],
    ["crypto.subtle.digest('SHA-1', '')", "Node's crypto.subtle"],
    ['process.memoryUsage()', "Node's process.memoryUsage"],
  ])('what is not there is named: %s', async ([expression, what]) => {
    const { verdict } = await run(`const f = () => ${expression}`, 'console.assert(f() === 1)');
    expect(verdict).toMatchObject({
      kind: 'not-serializable',
      message: `f() used ${what}, which the sandbox does not have.`,
    });
  });
});

test('a large argument of many calls is sent once', async () => {
  const { verdict } = await run(
    'const f = (grid, i) => grid[i % 100][3]',
    `const grid = Array.from({ length: 100 }, (_, i) => Array.from({ length: 100 }, (_, j) => i * j));
     for (let i = 0; i < 10_000; i++) console.assert(f(grid, i) === (i % 100) * 3);
     grid[0][3] = 9; console.assert(f(grid, 0) === 9)`,
  );
  expect(verdict.kind).toBe('passed');
});

test('a result whose keys reach a function of the language fails', async () => {
  const tests = `${requireAssert}const table = { a: [] };
    table.a[f('a')][f('b')] = null;
    [1, 2].every?.(x => assert.strictEqual(f(x), 5));
    assert.strictEqual(f(3), 3);`;
  const found = await run("const f = x => ({ a: '__proto__', b: 'every' })[x] ?? x", tests);
  expect(found).toMatchObject({
    verdict: { kind: 'failed', message: 'A result of f has changed Array.prototype.every.' },
  });
  expect(found.judge).toBe('proven');
});
