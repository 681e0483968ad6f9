import { describe, expect, test } from 'vitest';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { architectures, golden } from './golden.ts';
import { argMax, largestDifference, runGraph } from './run-graph.ts';

describe.each(architectures)('%s in float32', name => {
  test('gives the logits and greedy tokens of transformers, token by token', async () => {
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

  test('gives them in one pass over all tokens as well', async () => {
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
