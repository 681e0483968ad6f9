import { describe, expect, test } from 'vitest';
import { openTestDecoder, testGraphs } from '../test-decoders.ts';

describe.each(testGraphs)('%s', kind => {
  const tolerance = kind.includes('half') ? 0.05 : 1e-3;

  test('a prompt in pieces of any length gives the logits of one pass', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const whole = await decoder.empty.fork(0).append(prompt, 3);
    const sequence = decoder.empty.fork(0);
    await sequence.append(prompt.slice(0, 7), 1);
    await sequence.append(prompt.slice(7, 8), 1);
    const rows = await sequence.append(prompt.slice(8), 3);
    expect(sequence.ids).toEqual(prompt);
    for (const row of [0, 1, 2]) expect(difference(rows.row(row), whole.row(row))).toBeLessThan(tolerance);
  });

  test('dropped tokens leave no trace', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const whole = (await decoder.empty.fork(0).append(prompt, 1)).row(0).slice();
    const sequence = decoder.empty.fork(0);
    // Seven tokens at a time are more than are hidden before the cache is copied.
    for (let length = 1; length < prompt.length; length++) {
      await sequence.append([prompt[length - 1] ?? 0, 9, 8, 7, 6, 5, 4, 3], 8);
      sequence.truncate(length);
    }
    const last = await sequence.append(prompt.slice(-1), 1);
    expect(sequence.ids).toEqual(prompt);
    expect(difference(last.row(0), whole)).toBeLessThan(tolerance);
  });

  test('a long piece, also after dropped tokens, gives what short ones give', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const start = prompt.slice(0, 5);
    const piece = Array.from({ length: 40 }, (_, index) => index % 17);
    const short = decoder.empty.fork(0);
    const ids = [...start, ...piece];
    for (let at = 0; at < ids.length; at += 9) await short.append(ids.slice(at, at + 9), 1);
    const expected = (await short.append([3], 1)).row(0).slice();
    const sequence = decoder.empty.fork(0);
    await sequence.append([...start, ...Array(70).fill(11)], 1);
    sequence.truncate(start.length);
    await sequence.append(piece, 1);
    expect(difference((await sequence.append([3], 1)).row(0), expected)).toBeLessThan(tolerance);
  });

  test('forks continue independently, beyond the reserved room', async () => {
    const { decoder, prompt } = await openTestDecoder(kind);
    const whole = (await decoder.empty.fork(0).append(prompt, 1)).row(0).slice();
    const sequence = decoder.empty.fork(0);
    await sequence.append(prompt.slice(0, -2), 1);
    const fork = sequence.fork(prompt.length - 4);
    await fork.append(Array(70).fill(11), 1);
    await sequence.append([5, 6, 7], 1);
    fork.truncate(prompt.length - 4);
    sequence.truncate(prompt.length - 2);
    const rows = [await fork.append(prompt.slice(-4), 1), await sequence.append(prompt.slice(-2), 1)];
    for (const logits of rows) expect(difference(logits.row(0), whole)).toBeLessThan(tolerance);
    expect([fork.ids, sequence.ids]).toEqual([prompt, prompt]);
    expect(fork.bytes).toBeGreaterThan(0);
  });
});

function difference(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((largest, value, index) => Math.max(largest, Math.abs(value - (other[index] ?? 0))), 0);
}
