import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { here, ourBuffers } from '../../../../lib/sandbox/javascript/host/host-library.ts';
import { createSession, type Session } from '../../../../lib/sandbox/javascript/wire/plain-data.ts';
import { Refusal } from '../../../../lib/sandbox/javascript/wire/rows.ts';

const newSession = (): Session => createSession({ realm: here, buffers: ourBuffers, exactErrors: true });

/** Two ends of one conversation; what is sent goes through text. */
function connected(): (from: 0 | 1, values: unknown[]) => unknown[] {
  const ends = [newSession(), newSession()] as const;
  return (from, values) => {
    const text = JSON.stringify(ends[from].encode(values));
    return ends[from === 0 ? 1 : 0].decode(JSON.parse(text));
  };
}

const copyOf = (value: unknown): unknown => connected()(0, [value])[0];

const data = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, undefined, true, -0, Symbol.for('k'), Symbol.iterator),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float64Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.sparseArray(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map(entries => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map(items => new Set(items)),
  ),
})).value;

test('data survives a round trip', () => {
  fc.assert(
    fc.property(data, value => {
      expect(isDeepStrictEqual(copyOf([value]), [value])).toBe(true);
    }),
  );
});

test.for([
  ['a regular expression', /a(?<b>c)/gi],
  ['a Buffer', Buffer.from('text')],
  ['a DataView', new DataView(Uint8Array.of(1, 2, 3).buffer)],
  ['an error', new RangeError('too large')],
  ['a match', 'a1'.match(/\d/)],
  ['an object without a prototype', Object.assign(Object.create(null), { __proto__: 1, a: 2 })],
  ['a frozen list', Object.freeze([1, 2])],
] as const)('%s keeps its type', ([, value]) => {
  const copy = copyOf(value) as object;
  expect(isDeepStrictEqual(copy, value)).toBe(true);
  expect(Object.isFrozen(copy)).toBe(Object.isFrozen(value));
});

test('cycles and shared parts are kept', () => {
  const shared = [1];
  const value: Record<string, unknown> = { a: shared, b: shared };
  value.self = value;
  const copy = copyOf(value) as typeof value;
  expect(copy.a).toBe(copy.b);
  expect(copy.self).toBe(copy);
});

test('changes in place reach the other end with its next message, in the same objects', () => {
  const send = connected();
  const list = [3, 1];
  const [theirs] = send(0, [list]) as [number[]];
  theirs.sort().push(7);
  expect(send(1, [theirs])[0]).toBe(list);
  expect(list).toEqual([1, 3, 7]);
});

test('a large value is sent once', () => {
  const [one, other] = [newSession(), newSession()];
  const grid = Array.from({ length: 100 }, (_, i) => Array.from({ length: 100 }, (_, j) => i * j));
  other.decode(JSON.parse(JSON.stringify(one.encode([grid]))));
  expect(JSON.stringify(one.encode([grid])).length).toBeLessThan(50);
  grid[5]?.fill(-1);
  const [copy] = other.decode(JSON.parse(JSON.stringify(one.encode([grid]))));
  expect(copy).toEqual(grid);
});

describe('what is not plain data is refused, and its code is not run', () => {
  const run = () => {
    throw new Error('the code was run');
  };
  class Own {
    toJSON = run;
  }
  test.for<readonly [what: string, value: unknown]>([
    ['a function', () => {}],
    ['an instance', new Own()],
    ['a proxy', new Proxy([], { get: run, ownKeys: run, getPrototypeOf: run })],
    ['an accessor', Object.defineProperty({}, 'a', { get: run, enumerable: true })],
    ['an accessor in a list', Object.defineProperty([1], 0, { get: run })],
    ['a list with a method', Object.assign([1], { map: run })],
    ['a map with a method', Object.assign(new Map(), { get: run })],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 })],
    ['a symbol', Symbol('own')],
    ['an object that looks like a map', Object.create(Map.prototype)],
    ['a string object', Object('text')],
    ['a promise', Promise.resolve()],
    ['a WeakMap', new WeakMap()],
    ['two million elements', new Array(2_000_000).fill(0)],
  ])('%s', ([, value]) => {
    expect(() => newSession().encode([[value]])).toThrow(Refusal);
  });
});

test('any JSON gives data or a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (roots, rows, changed) => {
      try {
        newSession().decode([roots, rows, changed]);
      } catch (problem) {
        expect(problem).toBeInstanceOf(Refusal);
      }
    }),
  );
});

test.for<readonly [what: string, message: unknown]>([
  ['no list', 5],
  ['no rows', [[1]]],
  ['a reference to nothing', [[[7]], [], []]],
  ['a reference to a prototype', [[['__proto__']], [], []]],
  ['an unknown code', [[[0]], [['code', 0, [], 0, 0]], []]],
  ['an unknown tag', [[['code', 'process.exit(0)']], [], []]],
  ['a view of no type', [[[0]], [['t', 'constructor', [], 0, 0]], []]],
  ['an error of no type', [[[0]], [['e', ['Function', 'Function', null], [], 0, 0]], []]],
  ['an instance of an unknown class', [[[0]], [['c', 'Own', [], 0, 0]], []]],
  ['a function', [[[0]], [['f', 'f', [], 0, 0]], []]],
  ['a change of what was never given', [[], [], [[0, ['a', 0, [1], 0, 0]]]]],
])('a message is refused: %s', ([, message]) => {
  expect(() => newSession().decode(message)).toThrow(Refusal);
});
