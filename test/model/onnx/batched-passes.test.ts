import { expect, test } from 'vitest';
import { type BatchComparison, batchedPasses } from '../../../lib/model/onnx/batched-passes.ts';
import type { SequencesPass } from '../../../lib/model/onnx/forward-pass.ts';
import { Tensor } from '../../../lib/model/onnx/runtime.ts';

/** A pass that takes `cost` milliseconds by its own clock, and returns the first token as its logits. */
function fakePass(cost: (sequences: number) => number, noise = 0) {
  const clock = { ms: 0 };
  const sizes: number[] = [];
  const pass: SequencesPass = async inputs => {
    sizes.push(inputs.length);
    clock.ms += cost(inputs.length);
    return inputs.map(({ ids }) => {
      const value = (ids[0] ?? 0) + (inputs.length > 1 ? noise : 0);
      const present = [new Tensor('float32', Float32Array.of(value), [1])];
      return { logits: { rows: 1, row: () => Float32Array.of(value) }, present };
    });
  };
  return { pass, sizes, now: () => clock.ms };
}

async function decideFor(cost: (sequences: number) => number, noise = 0) {
  const { pass, sizes, now } = fakePass(cost, noise);
  const decisions: BatchComparison[] = [];
  const decide = (comparison: BatchComparison) => {
    decisions.push(comparison);
    return comparison.identical && comparison.speedUp > 1;
  };
  const run = batchedPasses(pass, { batches: null, decide, now });
  const input = (id: number) => ({
    ...{ ids: [id], position: 0, mask: new Uint8Array(0), past: [], into: null, rows: 1 },
  });
  const got: number[] = [];
  for (let round = 0; round < 8; round++) {
    const outputs = await Promise.all([1, 2, 3].map(id => run(input(id))));
    got.push(...outputs.map(({ logits }) => logits.row(0)[0] ?? Number.NaN));
  }
  return { decisions, got, sizes };
}

test('passes are joined from then on where that is faster', async () => {
  const { decisions, got, sizes } = await decideFor(sequences => 10 + sequences);
  expect(decisions).toEqual([{ speedUp: 33 / 13, identical: true }]);
  expect(got).toEqual(Array.from({ length: 8 }, () => [1, 2, 3]).flat());
  expect(sizes.slice(-2)).toEqual([3, 3]);
});

test('passes stay separate where joining them is slower', async () => {
  const { decisions, got, sizes } = await decideFor(sequences => 10 * sequences ** 2);
  expect(decisions).toMatchObject([{ speedUp: 30 / 90 }]);
  expect(got).toEqual(Array.from({ length: 8 }, () => [1, 2, 3]).flat());
  expect(sizes.slice(-3)).toEqual([1, 1, 1]);
});

test('passes stay separate where joining them changes a number, which no request sees', async () => {
  const { decisions, got } = await decideFor(sequences => 10 + sequences, 1e-3);
  expect(decisions).toMatchObject([{ identical: false }]);
  expect(got).toEqual(Array.from({ length: 8 }, () => [1, 2, 3]).flat());
});

test('a piece of a prompt has a pass of its own, in its turn', async () => {
  const { pass, sizes } = fakePass(() => 1);
  const run = batchedPasses(pass, { batches: true, decide: () => true });
  const order: number[] = [];
  const ask = async (id: number, tokens: number) => {
    const ids = Array(tokens).fill(id);
    await run({ ids, position: 0, mask: new Uint8Array(0), past: [], into: null, rows: 1 });
    order.push(id);
  };
  await Promise.all([ask(0, 1), ask(1, 1), ask(2, 128), ask(3, 17), ask(4, 18), ask(5, 1)]);
  expect(sizes).toEqual([1, 3, 1, 1]);
  expect(order).toEqual([0, 1, 3, 5, 2, 4]);
});

test('an error reaches all requests of the pass, and the next ones are answered', async () => {
  let calls = 0;
  const { pass } = fakePass(() => 1);
  const failing: SequencesPass = inputs =>
    calls++ === 1 ? Promise.reject(new Error('no memory')) : pass(inputs);
  const run = batchedPasses(failing, { batches: true, decide: () => true });
  const input = { ids: [4], position: 0, mask: new Uint8Array(0), past: [], into: null, rows: 1 };
  const first = run(input);
  const [, ...others] = await Promise.allSettled([first, run(input), run(input)]);
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await run(input)).logits.row(0)).toEqual(Float32Array.of(4));
});
