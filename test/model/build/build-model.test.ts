import { describe, expect, test } from 'vitest';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { Tensor } from '../../../lib/model/onnx/runtime.ts';
import { openSession } from '../../../lib/model/onnx/session.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { architectures, golden } from './golden.ts';
import { argMax, largestDifference, runGraph } from './run-graph.ts';

describe.each(architectures)('%s in float32', name => {
  test('produces the logits and greedy tokens of transformers, token by token', async () => {
    const { folder, prompt, tokens, logits } = golden(name);
    const run = await runGraph(
      await buildModel({ source: folder, target: await temporaryFolder(), weightType: 'fp32' }),
    );
    let next = [...prompt];
    for (const [index, expected] of logits.entries()) {
      const [row = new Float32Array()] = (await run.pass(next)).logits;
      expect(largestDifference(expected, row)).toBeLessThan(1e-4);
      expect(argMax(row)).toBe(tokens[index]);
      next = [argMax(row)];
    }
    await run.release();
  });

  test('produces them in one pass over all tokens as well', async () => {
    const { folder, prompt, tokens, logits } = golden(name);
    const run = await runGraph(
      await buildModel({ source: folder, target: await temporaryFolder(), weightType: 'fp32' }),
    );
    const { logits: rows } = await run.pass([...prompt, ...tokens.slice(0, -1)], tokens.length);
    expect(rows).toHaveLength(tokens.length);
    for (const [index, row] of rows.entries()) {
      expect(largestDifference(logits[index] ?? new Float32Array(), row)).toBeLessThan(1e-4);
    }
    await run.release();
  });
});

test('a whole cache with spare room can be filled in place', async () => {
  const { folder, prompt, tokens, logits } = golden('qwen2');
  const target = await temporaryFolder();
  const file = await buildModel({ source: folder, target, weightType: 'fp32', cache: 'whole cache' });
  const session = await openSession(file, { threads: 1, device: 'cpu' });
  const past = session.inputNames.filter(name => name.startsWith('past'));
  const [capacity, heads, headSize] = [100, 2, 16];
  const room = past.map(
    name =>
      [
        name,
        new Tensor('float32', new Float32Array(heads * capacity * headSize), [1, heads, capacity, headSize]),
      ] as const,
  );
  let length = 0;
  let next = [...prompt];
  for (const [index, expected] of logits.entries()) {
    length += next.length;
    const feeds = {
      input_ids: new Tensor('int64', BigInt64Array.from(next, BigInt), [1, next.length]),
      attention_mask: new Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]),
      num_logits_to_keep: new Tensor('int64', [1n], []),
      ...Object.fromEntries(room),
    };
    const present = room.map(([name, tensor]) => [name.replace('past_key_values', 'present'), tensor]);
    const outputs = await session.run(feeds, { logits: null, ...Object.fromEntries(present) });
    expect(largestDifference(expected, (outputs.logits as Tensor).data as Float32Array)).toBeLessThan(1e-4);
    next = tokens.slice(index, index + 1);
  }
  await session.release();
});
