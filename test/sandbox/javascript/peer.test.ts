import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intrinsics } from '../../../lib/sandbox/javascript/judge/candidate/own-realm.ts';
import type { Question } from '../../../lib/sandbox/javascript/realm/messages.ts';
import { createPeer, type Peer } from '../../../lib/sandbox/javascript/realm/peer.ts';

class Refused extends Error {}

/** Two connected peers in one process; each serves the other's requests. */
function connected(serve: (name: string) => unknown): Peer {
  const refuse = (reason: string): never => {
    throw new Refused(reason);
  };
  const candidate: Peer = createPeer({
    intrinsics,
    exchange: text => near.write(near.serve(near.read(text) as Question)),
    refuse,
    unsendable: refuse,
    serveOther: question => candidate.describe(question.op === 'name' ? serve(question.name) : undefined),
  });
  const near: Peer = createPeer({
    intrinsics,
    exchange: text => candidate.write(candidate.serve(candidate.read(text) as Question)),
    refuse,
    unsendable: refuse,
  });
  return near;
}

function held(peer: Peer, name = 'f'): unknown {
  return peer.ask({ op: 'name', name });
}

const data = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, undefined, true, -0),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.sparseArray(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map(entries => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map(items => new Set(items)),
  ),
})).value;

test('data survives a round trip', () => {
  const echo = held(connected(() => (value: unknown) => value)) as (value: unknown) => unknown;
  fc.assert(
    fc.property(data, value => {
      const copy = echo([value]);
      expect(isDeepStrictEqual(copy, [value])).toBe(true);
    }),
  );
});

test('received values belong to this realm and are not objects of the other side', () => {
  const theirs = { list: [new Map([['a', 1]])] };
  const ours = held(connected(() => theirs)) as typeof theirs;
  expect(ours).toEqual(theirs);
  expect(ours).not.toBe(theirs);
  ours.list.push(new Map());
  expect(theirs.list).toHaveLength(1);
});

test('in-place changes of one side are visible to the other at the next call', () => {
  const kept: { n?: number }[] = [];
  const keep = held(
    connected(() => (one: { n?: number }) => {
      for (const each of kept) each.n = kept.length;
      kept.push(one);
      return kept;
    }),
  ) as (one: object) => { n?: number }[];
  const first: { n?: number } = {};
  const all = keep(first);
  expect(all[0]).toBe(first);
  all.push({});
  keep({});
  expect(all).toEqual([{ n: 2 }, { n: 2 }, {}]);
  expect(first.n).toBe(2);
});

test('a long list can be sent, and a longer one is refused', () => {
  const length = held(connected(() => (list: unknown[]) => list.length)) as (list: unknown[]) => number;
  expect(length(new Array(200_000).fill(0))).toBe(200_000);
  expect(() => length(new Array(2_000_000).fill(0))).toThrow(Refused);
});

const plain = [['builtin', 'Object.prototype'], 0, ['mark']];

/** Messages that a compromised process might send to the judge. */
const forged: Readonly<Record<string, unknown>> = {
  'no object': 5,
  'no op': {},
  'an unknown kind': answer([['mine', 0]], [['mine', 0, 'code', ['return 1'], plain]]),
  'a reference to nothing': answer([['mine', 7]], []),
  'a reference to a prototype': answer([['mine', '__proto__']], []),
  'an object that was never given': answer([['yours', 0]], []),
  'a change of what was never given': answer([1], [['yours', 0, 'object', [], plain]]),
  'an answer without a table': { op: 'answer', ok: true, graph: { roots: [] } },
  'an object without an end': answer([['mine', 0]], [['mine', 0, 'object', [], [null, 0]]]),
  'a list of another length': answer([['mine', 0]], [['mine', 0, 'array', [], [null, 0, 7, 1, ['mark']]]]),
  'a view of nothing': answer([['mine', 0]], [['mine', 0, 'Uint8Array', [1, 0, 1], plain]]),
  'a view of no type': answer([['mine', 0]], [['mine', 0, 'constructor', [], plain]]),
  'a prototype that is a number': answer([['mine', 0]], [['mine', 0, 'object', [], [5, 0, ['mark']]]]),
  'what makes code of text': answer([['builtin', 'Function']], []),
  'an unknown tag': answer([['code', 'process.exit(0)']], []),
  'a line that is none': { op: 'answer', ok: false, line: 'x', graph: { roots: [1], rows: [] } },
  'news of nothing': { op: 'answer', ok: true, graph: { roots: [1], rows: [] }, settled: [null] },
  'news that are no list': { op: 'answer', ok: true, graph: { roots: [1], rows: [] }, settled: 1 },
};

function answer(roots: unknown[], rows: unknown[]): object {
  return { op: 'answer', ok: true, graph: { roots, rows } };
}

function judgeFacing(say: (text: string) => string): Peer {
  const refuse = (reason: string): never => {
    throw new Refused(reason);
  };
  return createPeer({ intrinsics, exchange: say, refuse, unsendable: refuse });
}

test.for(Object.entries(forged))('refused: %s', ([, message]) => {
  expect(() => held(judgeFacing(() => JSON.stringify(message)))).toThrow(Refused);
});

test('text that is not JSON is refused', () => {
  expect(() => held(judgeFacing(() => '{"op":'))).toThrow(Refused);
});

test('any JSON gives data, a refusal or an error of the other side', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (roots, rows) => {
      const peer = judgeFacing(() => JSON.stringify({ op: 'answer', ok: true, graph: { roots, rows } }));
      try {
        held(peer);
      } catch (problem) {
        expect(problem).toBeInstanceOf(Refused);
      }
    }),
  );
});

const ownFunction = [
  'mine',
  0,
  'function',
  ['f', 1, false],
  [['builtin', '%Function.prototype%'], 0, ['mark']],
];

test('a function that was passed can only be called', () => {
  const questions = [
    { op: 'step', id: 0, method: 'constructor', graph: { roots: ['return process'], rows: [] } },
    { op: 'step', id: 0, method: 'next', graph: { roots: [], rows: [] } },
    { op: 'step', id: 0, method: 'bind', graph: { roots: [], rows: [] } },
  ];
  for (const question of questions) {
    let asked = 0;
    const peer = judgeFacing(() =>
      JSON.stringify(asked++ === 0 ? answer([['mine', 0]], [ownFunction]) : question),
    );
    const f = held(peer) as (callback: () => void) => void;
    expect(() => f(() => {})).toThrow(Refused);
  }
});
