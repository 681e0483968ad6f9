import { expect, test } from 'vitest';
import { buildModel, openWeights, roundingFormats } from '../../../lib/model/build/build-model.ts';
import { calibrate } from '../../../lib/model/exactness/build-measured.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { architectures, golden } from '../build/golden.ts';
import { largestDifference, runGraph } from '../build/run-graph.ts';

test.each(architectures)('%s: prepared weights compute the same function', async name => {
  const { folder, prompt, tokens, logits } = golden(name);
  const ids = [...prompt, ...tokens.slice(0, -1)];
  const { architecture, checkpoint } = await openWeights(folder, 'fp32');
  const { preparation } = await calibrate({
    checkpoint,
    architecture,
    source: folder,
    sample: ids,
    check: [],
    format: roundingFormats.w8a8,
    threads: 1,
  });
  await checkpoint.close();
  expect(preparation.scales.size).toBeGreaterThan(0);
  // Any columns may be multiplied separately.
  const exactColumns = new Map([
    ['layers.0.qkv', [1]],
    ['layers.0.o', [0, 2]],
    ['layers.1.gate', [3]],
    ['layers.1.down', [0, 5, 7]],
  ]);
  const graph = await buildModel({
    source: folder,
    target: await temporaryFolder(),
    weightType: 'fp32',
    preparation: { ...preparation, exactColumns },
  });
  const run = await runGraph(graph);
  const { logits: rows } = await run.pass(ids, tokens.length);
  await run.release();
  for (const [index, expected] of logits.entries()) {
    expect(largestDifference(expected, rows[index] ?? new Float32Array())).toBeLessThan(2e-4);
  }
});
