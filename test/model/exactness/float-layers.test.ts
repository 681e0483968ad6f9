import { expect, test } from 'vitest';
import { openWeights } from '../../../lib/model/build/build-model.ts';
import { runFloatLayers } from '../../../lib/model/exactness/float-layers.ts';
import { architectures, golden } from '../build/golden.ts';
import { argMax, largestDifference } from '../build/run-graph.ts';

test.each(architectures)('%s: layer by layer, the logits are those of transformers', async name => {
  const { folder, prompt, tokens, logits } = golden(name);
  const { architecture, checkpoint } = await openWeights(folder, 'fp32');
  const ids = [...prompt, ...tokens.slice(0, -1)];
  const floats = { checkpoint, architecture, source: folder, threads: 1 };
  const [other, hidden = new Float32Array()] = await runFloatLayers({ ...floats, sequences: [prompt, ids] });
  expect(largestDifference(other ?? new Float32Array(), hidden)).toBeLessThan(1e-5);
  const table: number[] = [];
  const head = architecture.tied ? 'model.embed_tokens.weight' : 'lm_head.weight';
  for await (const piece of checkpoint.rows(head)) table.push(...piece);
  await checkpoint.close();
  const size = architecture.hidden;
  for (const [index, expected] of logits.entries()) {
    const at = (prompt.length - 1 + index) * size;
    const found = expected.map((_, id) => {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += (hidden[at + i] ?? 0) * (table[id * size + i] ?? 0);
      return sum;
    });
    expect(largestDifference(expected, found)).toBeLessThan(1e-4);
    expect(argMax(found)).toBe(tokens[index]);
  }
});
