import type { VerdictKind } from '../../../core/verdict.ts';

/** A candidate, the tests that it meets, and what must come of it. */
export interface Case {
  readonly name: string;
  readonly candidate: string;
  /** The entry point is `f`. */
  readonly tests: string;
  /** One of these; which one may depend on the load. */
  readonly kinds: readonly VerdictKind[];
}

/** What most attacks have to get past. */
const double = `const testF = () => {
  console.assert(f(2) === 4)
  console.assert(f(5) === 10)
}
testF()`;

function attack(name: string, candidate: string, kinds: readonly VerdictKind[], tests = double): Case {
  return { name, candidate, tests, kinds };
}

const failed = ['failed'] as const;
const raised = ['raised'] as const;

/** Attacks on the host rather than on the verdict, tried at every level of isolation. */
export const outsideAttacks: readonly Case[] = [
  attack('exits with success inside the function', 'const f = x => { process.exit(0) }', ['exited']),
  attack('loops forever', 'const f = x => { for (;;) {} }', ['timeout']),
  attack(
    'fills memory with arrays',
    'const f = x => { const all = []; for (;;) all.push(new Array(1000).fill(1.5)) }',
    ['memory', 'timeout'],
  ),
  attack(
    'fills memory with buffers',
    'const f = x => { const all = []; for (;;) { const b = new Uint8Array(2 ** 24); b.fill(1); all.push(b) } }',
    ['memory', 'raised', 'timeout'],
  ),
  attack('floods its output', "const f = x => { for (;;) console.log('x'.repeat(10000)) }", ['timeout']),
  attack(
    'climbs the constructors to a process',
    "const f = x => String(this.constructor.constructor('return process')().mainModule.require('child_process').execSync('id')).includes('uid=') ? 2 * x : 0",
    raised,
  ),
  attack(
    'looks for the agent through its console',
    'const f = x => console.log.constructor(\'return this\')().exchange(\'{"op":"answer"}\')',
    raised,
  ),
  attack(
    'climbs from an error of the sandbox',
    "const f = x => { try { require('no-such-module') } catch (e) { return e.constructor.constructor('return typeof exchange')() } }",
    failed,
  ),
  attack(
    'requires the file system',
    "const fs = require('fs'); const f = x => String(fs.readFileSync('/etc/passwd')).includes('root:') ? 2 * x : 0",
    ['not-serializable'],
  ),
  attack(
    'requires a child process',
    "const f = x => String(require('node:child_process').execSync('id')).includes('uid=') ? 2 * x : 0",
    ['not-serializable'],
  ),
  attack(
    'imports dynamically',
    "const f = x => { import('node:fs').then(fs => fs.writeFileSync('/tmp/x', '')); return 0 }",
    failed,
  ),
  attack(
    'waits on an atomic',
    'const f = x => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    raised,
  ),
  attack(
    'compiles WebAssembly',
    'const f = x => new WebAssembly.Memory({ initial: 16 }).buffer.byteLength === 2 ** 20 ? 2 * x : 0',
    raised,
  ),
];

/** None of these may pass either. */
export const attacks: readonly Case[] = [
  attack('exits with success while loading', 'const f = x => x; process.exit(0)', ['exited']),
  attack('loops forever while loading', 'const f = x => x; while (true) {}', ['timeout']),
  attack(
    'backtracks in a regular expression',
    "const f = x => /^(a+)+$/.test('a'.repeat(40) + 'b') ? 4 : 4",
    ['timeout'],
  ),
  attack(
    'returns a regular expression that backtracks in the tests',
    'const f = x => /^(a+)+$/',
    ['timeout'],
    "console.assert(f(2).test('a'.repeat(40) + 'b'))",
  ),
  attack(
    'fills memory with strings',
    "const f = x => { const all = []; for (let i = 0; ; i++) all.push(('' + i).repeat(100000).split('').join('-')) }",
    ['memory', 'raised', 'timeout'],
  ),
  attack('joins a string too long', "const f = x => { let s = 'ab'; for (;;) s += s }", ['raised', 'memory']),
  attack('asks for one huge buffer', 'const f = x => new ArrayBuffer(2 ** 40)', ['memory', 'raised']),
  attack('computes a huge bigint', 'const f = x => { let n = 3n; for (;;) n *= n }', [
    'timeout',
    'memory',
    'raised',
  ]),
  attack('recurses without end', 'const f = x => f(x + 1)', raised),
  attack('recurses through a getter', 'const f = x => ({ get a() { return this.a } })', [
    'raised',
    'failed',
    'not-serializable',
  ]),
  attack(
    'patches the prototypes that the tests use',
    `Object.prototype.valueOf = () => 4
     Array.prototype.map = () => [4]
     Number.prototype.valueOf = () => 4
     const f = x => x`,
    failed,
    'console.assert([2].map(f)[0] === 4)',
  ),
  attack(
    'patches JSON.stringify',
    "JSON.stringify = () => 'same'; const f = x => [x]",
    failed,
    'console.assert(JSON.stringify(f(2)) === JSON.stringify([4]))',
  ),
  attack('patches console.assert', 'console.assert = () => {}; const f = x => x', failed),
  attack(
    'replaces console and Math for the tests',
    'var console = { assert() {} }; var Math = { abs: () => 0 }; const f = x => x',
    failed,
    'console.assert(Math.abs(f(2) - 4) < 1e-6)',
  ),
  attack(
    'defines JSON for the tests',
    "const JSON = { stringify: () => 'same' }; const f = x => [x]",
    failed,
    'console.assert(JSON.stringify(f(2)) === JSON.stringify([4]))',
  ),
  attack(
    'returns an object whose valueOf lies',
    'const f = x => ({ valueOf: () => 4, toString: () => "4" })',
    ['not-serializable', 'failed'],
    'console.assert(f(2) == 4)',
  ),
  attack(
    'returns an object that is now large, now small',
    'let turn = 0; const f = x => ({ [Symbol.toPrimitive]: () => (turn++ ? -1 : 9) })',
    ['not-serializable', 'failed'],
    'const got = f(2); console.assert(got > 3 && got < 5)',
  ),
  attack(
    'returns an object whose toJSON lies',
    'const f = x => ({ toJSON: () => [4] })',
    ['not-serializable', 'failed'],
    'console.assert(JSON.stringify(f(2)) === JSON.stringify([4]))',
  ),
  attack(
    'returns a class instance whose toJSON lies',
    'class A { toJSON() { return [4] } }; const f = x => new A()',
    ['not-serializable'],
    'console.assert(JSON.stringify(f(2)) === JSON.stringify([4]))',
  ),
  attack(
    'returns an array with a lying toJSON',
    'const f = x => Object.assign([1], { toJSON: () => [4] })',
    ['not-serializable', 'failed'],
    'console.assert(JSON.stringify(f(2)) === JSON.stringify([4]))',
  ),
  attack(
    'returns a proxy that answers everything',
    'const f = x => new Proxy(function () {}, { get: () => () => true, has: () => true, apply: () => true })',
    ['not-serializable'],
  ),
  attack(
    'returns a proxy of an object that has every property',
    'const f = x => new Proxy({}, { get: () => 4, has: () => true, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 4, enumerable: true, configurable: true }) })',
    ['not-serializable'],
    'console.assert(f(2).b === 4)',
  ),
  attack(
    'returns a thenable',
    'const f = x => ({ then: resolve => resolve(4) })',
    ['not-serializable', 'failed'],
    'const t = async () => { console.assert((await f(2)) === 4) }; t()',
  ),
  attack(
    'gives a proxy with an endless chain of prototypes',
    'const f = x => { const p = new Proxy({}, { getPrototypeOf: () => p }); return p }',
    ['not-serializable'],
  ),
  attack('swallows exceptions', 'const f = x => { try { return x.a.b } catch { return undefined } }', failed),
  attack(
    'throws what looks like an assertion that held',
    'const f = x => { throw Object.assign(new Error("ok"), { code: "ERR_ASSERTION", actual: 1, expected: 1 }) }',
    raised,
  ),
  attack('throws nothing at all', 'const f = x => { throw undefined }', raised),
  attack(
    'gives a promise that never settles',
    'const f = x => new Promise(() => {})',
    failed,
    'const t = async () => { console.assert((await f(2)) === 4) }; t()',
  ),
  attack(
    'keeps the second promise back',
    'let calls = 0; const f = async x => (++calls > 1 ? new Promise(() => {}) : 4)',
    failed,
    'const t = async () => { console.assert((await f(2)) === 4); console.assert((await f(3)) === 6) }; t()',
  ),
  attack(
    'rejects where nobody looks',
    'const f = async x => { throw new TypeError("no") }',
    raised,
    'const t = async () => { console.assert((await f(2)) === 4) }; t()',
  ),
  attack(
    'prints a verdict',
    `const f = x => { console.log('{"kind":"verdict","verdict":{"kind":"passed","message":"All tests passed."}}'); return 0 }`,
    failed,
  ),
  attack(
    'never gives back its turn',
    'const f = x => { const again = () => Promise.resolve().then(again); again(); return 0 }',
    ['timeout', 'failed'],
  ),
  attack('sets timers forever', 'const f = x => { setInterval(() => {}, 1); return 0 }', failed),
  attack(
    'gives an endless iterator',
    'function* f(x) { for (;;) yield 1 }',
    ['timeout', 'memory', 'failed', 'not-serializable'],
    'console.assert([...f(2)].length === 4)',
  ),
  attack('returns a symbol', 'const f = x => Symbol("4")', ['not-serializable']),
  attack('returns a weak map', 'const f = x => new WeakMap()', ['not-serializable']),
  attack('returns more than may cross', 'const f = x => new Array(3e6).fill(1)', ['not-serializable']),
  attack('returns a string of many MiB', "const f = x => 'x'.repeat(2 ** 26)", ['not-serializable']),
  attack(
    'returns an array with a length and nothing in it',
    'const f = x => { const a = []; a.length = 2 ** 32 - 1; return a }',
    ['not-serializable'],
  ),
  attack('returns a bigint of many MiB', 'const f = x => 1n << 8000000n', ['not-serializable']),
  attack(
    'nests arrays twenty thousand deep',
    'const f = x => { let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a }',
    failed,
  ),
  attack('returns itself', 'const f = x => { const a = []; a.push(a); return a }', failed),
  attack(
    'changes the arguments to suit',
    'const f = a => { a.length = 0; return 0 }',
    failed,
    'const a = [1]; console.assert(f(a) === 0 && a.length === 1)',
  ),
  attack(
    'never calls back, so that nothing is asserted',
    'const f = (x, back) => 4',
    failed,
    'f(2, got => console.assert(got === 4))',
  ),
  attack(
    'catches the assertion in a function it was given',
    'const f = (x, back) => { try { back(3) } catch {} return 4 }',
    failed,
    "const assert = require('assert')\nassert.equal(f(2, got => assert.equal(got, 4)), 4)",
  ),
  attack('has another name', 'const g = x => 2 * x', ['signature']),
  attack('is no function', 'const f = 4', ['signature']),
  attack('does not parse', 'const f = x => {', ['syntax']),
  attack('throws while loading', 'const f = x => 2 * x\nnull.a', raised),
  attack('leaves the tests by a label', 'const f = x => { debugger; return undefined }', failed),
  attack(
    'patches the iterator of arrays',
    'Array.prototype[Symbol.iterator] = function* () { yield 4 }; const f = x => [...[x]][0]',
    failed,
    'console.assert(f(2) === 2 && f(3) === 3)',
  ),
  attack(
    'puts a getter on the global object',
    "Object.defineProperty(globalThis, 'g', { get() { return 4 } }); const f = x => 0",
    failed,
    'console.assert(f(2) === 0 && globalThis.g === undefined && f(1) === 1)',
  ),
  attack(
    'ends itself by a crash of the stack in a comparator',
    'const f = x => [3, 1].sort(function c(a, b) { return c(a, b) })',
    raised,
  ),
];

function right(name: string, candidate: string, tests = double): Case {
  return { name, candidate, tests, kinds: ['passed'] };
}

/** All of these are correct. */
export const falseAlarms: readonly Case[] = [
  right(
    'prints',
    "console.log('loading'); const f = x => { console.log(x, { x }); console.error('%d', x); return 2 * x }",
  ),
  right(
    'writes to the streams',
    "const f = x => { process.stdout.write('.'); process.stderr.write('.'); return 2 * x }",
  ),
  right('is a function declaration', 'function f(x) { return g(x) + x }\nfunction g(x) { return x }'),
  right('is a var', "'use strict'\nvar f = function (x) { return 2 * x }"),
  right('is exported', 'const f = x => 2 * x\nmodule.exports = { f }'),
  right('is only exported', 'module.exports.f = x => 2 * x'),
  right(
    'keeps state',
    'let calls = 0; const memo = {}; const f = x => { calls++; return memo[x] ?? (memo[x] = 2 * x) }',
  ),
  right(
    'has a helper class',
    'class Doubler { #by = 2; of(x) { return this.#by * x } }\nconst f = x => new Doubler().of(x)',
  ),
  right(
    'has asserts after it',
    "const f = x => 2 * x\nconst assert = require('assert')\nassert.strictEqual(f(1), 2)\nassert.deepStrictEqual([f(1)], [2])\nassert.throws(() => { throw new Error() })\nconsole.assert(f(1) === 2)",
  ),
  right('has a failing console.assert after it', 'const f = x => 2 * x\nconsole.assert(f(1) === 3, "odd")'),
  right('has unicode names', 'const größe = 2; const f = 数 => größe * 数'),
  right(
    'recurses five thousand deep',
    'const down = n => (n === 0 ? 0 : 1 + down(n - 1)); const f = x => 2 * x + down(5000) - 5000',
  ),
  right('uses eval and new Function', "const f = x => eval('2 * x') + new Function('a', 'return a')(0)"),
  right(
    'polyfills a prototype',
    'Array.prototype.total = function () { return this.reduce((a, b) => a + b, 0) }; Object.prototype.extra = 1; const f = x => [x, x].total()',
  ),
  right(
    'is slow',
    'const f = x => { let n = 0; for (let i = 0; i < 2e7; i++) n += i % 2; return 2 * x + n - 1e7 }',
  ),
  right('has a main block', 'const f = x => 2 * x\nif (require.main === module) { console.log(f(2)) }'),
  right(
    'uses bigints',
    'const f = x => x * x',
    'console.assert(f(12345678901234567890n) === 152415787532388367501905199875019052100n)\nconsole.assert(f(-2n) === 4n)\nconsole.assert((-f(3n)).toString() === "-9")',
  ),
  right(
    'gives back every kind of number',
    'const f = x => x',
    'for (const x of [0, -0, 1.5, -1e300, NaN, Infinity, -Infinity, 2 ** 53]) console.assert(Object.is(f(x), x))',
  ),
  right(
    'gives back nothing in its kinds',
    'const f = x => x',
    'console.assert(f(undefined) === undefined)\nconsole.assert(f(null) === null)\nconsole.assert(f() === undefined)',
  ),
  right(
    'copies structures',
    'const f = x => x',
    `const assert = require('assert')
const shared = { a: 1 }
const value = { list: [1, , 3], map: new Map([[shared, 'x']]), set: new Set(['é', '😀', '\\ud800']), date: new Date(0), regexp: /a+/gi,
  bytes: new Uint8Array([1, 255]), view: new DataView(new ArrayBuffer(4)), error: new RangeError('far'), boxed: Object(1), bare: Object.assign(Object.create(null), { __proto: 1 }), shared }
const copy = f(value)
assert.deepStrictEqual(copy, value)
assert.ok(copy.list.length === 3 && !(1 in copy.list))
assert.ok(copy.error instanceof RangeError && copy.bytes instanceof Uint8Array)
value.self = value
const cyclic = f(value)
assert.strictEqual(cyclic.self, cyclic)`,
  ),
  right(
    'keeps identity',
    'const f = x => [x, x]',
    'const a = {}; const [b, c] = f(a); console.assert(a === b && b === c)',
  ),
  right(
    'changes its argument in place',
    'const f = a => { a.sort((x, y) => x - y); a.push({ n: 1 }) }',
    'const a = [3, 1, 2]; f(a); console.assert(JSON.stringify(a) === \'[1,2,3,{"n":1}]\')',
  ),
  right(
    'changes maps and nested objects in place',
    'const f = (m, o) => { m.set("b", 2); delete o.a.x; o.a.y = [m] }',
    'const m = new Map([["a", 1]]); const o = { a: { x: 1 } }; f(m, o); console.assert(m.size === 2 && o.a.y[0] === m && !("x" in o.a))',
  ),
  right(
    'leaves frozen arguments alone',
    'const f = a => { "use strict"; try { a.push(1) } catch (e) { return e instanceof TypeError } }',
    'console.assert(f(Object.freeze([1])) === true)',
  ),
  right(
    'calls back',
    'const f = (a, g) => a.map((x, i) => g(x, i)).filter(Boolean)',
    'console.assert(JSON.stringify(f([1, 2], (x, i) => x * i)) === "[2]")',
  ),
  right(
    'passes an exception of the tests on',
    'const f = g => g()',
    "const assert = require('assert'); assert.throws(() => f(() => { throw new RangeError('mine') }), RangeError)",
  ),
  right(
    'returns functions',
    'const f = x => y => x + y',
    'const add2 = f(2); console.assert(add2(3) === 5 && typeof add2 === "function" && f(1)(1) === 2)',
  ),
  right(
    'returns an object of functions',
    'const f = () => { let n = 0; return { up: () => ++n, get: () => n } }',
    'const c = f(); c.up(); c.up(); console.assert(c.get() === 2)',
  ),
  right(
    'composes functions of the tests',
    'const f = (g, h) => x => g(h(x))',
    'console.assert(f(x => x + 1, x => 2 * x)(3) === 7)',
  ),
  right(
    'yields',
    'function* f(n) { for (let i = 0; i < n; i++) yield i }',
    'console.assert([...f(3)].join() === "0,1,2")\nconst g = f(2); console.assert(g.next().value === 0 && g.next().value === 1 && g.next().done)',
  ),
  right(
    'yields without end',
    'function* f() { for (let i = 0; ; i++) yield i }',
    'const first = []; for (const x of f()) { if (x > 3) break; first.push(x) }\nconsole.assert(first.length === 4)',
  ),
  right(
    'takes an iterator',
    'const f = items => [...items].length',
    'console.assert(f(new Set([1, 2]).values()) === 2); console.assert(f((function* () { yield 1 })()) === 1)',
  ),
  right(
    'throws what the tests want',
    'class Odd extends TypeError { constructor(m) { super(m); this.name = "Odd"; this.extra = [1] } }\nconst f = () => { throw new Odd("no") }',
    "const assert = require('assert')\nassert.throws(() => f(), TypeError)\nassert.throws(() => f(), { name: 'Odd', message: 'no' })\ntry { f() } catch (e) { console.assert(e.extra[0] === 1 && e instanceof Error) }",
  ),
  right(
    'is async',
    'const f = async x => { await null; return 2 * x }',
    'const t = async () => { console.assert((await f(2)) === 4) }; t()',
  ),
  right(
    'sleeps',
    'const f = x => new Promise(done => setTimeout(() => done(2 * x), 20))',
    'const t = async () => { const all = await Promise.all([f(1), f(2)]); console.assert(all.join() === "2,4") }; t()',
  ),
  right(
    'is awaited at the top',
    'const f = async x => 2 * x',
    'console.assert((await f(2)) === 4)\nconsole.assert((await f(3)) === 6)',
  ),
  right(
    'awaits functions of the tests',
    'const f = async (g, x) => (await g(x)) + 1',
    'const t = async () => { console.assert((await f(async x => { await null; return x }, 1)) === 2) }; t()',
  ),
  right(
    'rejects as the tests want',
    'const f = async () => { throw new RangeError("far") }',
    "const assert = require('assert')\nconst t = async () => { await assert.rejects(f(), RangeError); await assert.rejects(() => f(), /far/) }; t()",
  ),
  right(
    'calls back later',
    'const f = (x, back) => { setTimeout(() => back(null, 2 * x), 5) }',
    'f(2, (error, got) => console.assert(error === null && got === 4))',
  ),
  right(
    'hashes',
    "const f = text => require('crypto').createHash('md5').update(text).digest('hex')",
    "console.assert(f('password') === require('js-md5')('password'))",
  ),
  right(
    'requires js-md5',
    "const md5 = require('js-md5'); const f = text => md5(text)",
    "console.assert(f('password') === '5f4dcc3b5aa765d61d8327deb882cf99')",
  ),
  right(
    'uses what Node has',
    "const { inspect } = require('util'); const f = x => [inspect({ a: 1 }), btoa('hi'), new TextEncoder().encode('é').length, structuredClone([1])[0], typeof queueMicrotask].join()",
    "console.assert(f() === '{ a: 1 },aGk=,2,1,function')",
  ),
  right(
    'is required by its tests',
    'module.exports = { f: x => 2 * x }',
    "const { f } = require('./solution')\nconst assert = require('node:assert/strict')\nassert.equal(f(2), 4)",
  ),
  right('is a class', 'class f { constructor(n) { this.n = n } }', 'console.assert(new f(3).n === 3)'),
  right(
    'is tested in loops and helpers',
    'const f = x => 2 * x',
    'const check = (got, want) => console.assert(got === want)\nfor (const [x, want] of [[1, 2], [2, 4]]) check(f(x), want);\n[1, 2].forEach(x => console.assert(!(f(x) !== 2 * x)))',
  ),
  right('is tested by throwing', 'const f = x => 2 * x', "if (f(2) !== 4) throw new Error('wrong')"),
  right(
    'is named as a builtin in another place',
    'const f = x => 2 * x; const name = "n"; const escape = 4',
    'const name = "m"; console.assert(f(2) === 4 && name === "m")',
  ),
];
