import { join } from 'node:path';
import { createComparison, likeliest } from '../../../lib/model/exactness/measure-exactness.ts';
import { readModelConfig } from '../../../lib/model/model-folder.ts';
import { openDecoder } from '../../../lib/model/onnx/decoder.ts';
import { type Logits, prefill } from '../../../lib/model/onnx/sequence.ts';
import type { Reference } from './reference.ts';

export interface Agreement {
  /** Answers whose tokens are all the same. */
  readonly sameAnswers: number;
  /** Share of the tokens before the first difference. */
  readonly sameBefore: number;
  /** Share of positions with the same likeliest token, given the reference's tokens so far. */
  readonly sameToken: number;
  /** Mean KL divergence there, in nats. */
  readonly divergence: number;
}

/** Compares a graph's greedy answers with the reference, token by token. */
export async function measureBuilt(
  folder: string,
  graph: string,
  reference: Reference,
  threads: number,
): Promise<Agreement> {
  const decoder = await openDecoder(join(folder, 'onnx', graph), await readModelConfig(folder), {
    threads,
    device: 'cpu',
  });
  const comparison = createComparison();
  let [sameAnswers, sameBefore, tokens] = [0, 0, 0];
  for (const [index, answer] of reference.answers.entries()) {
    const sequence = decoder.empty.fork(0);
    let logits: Logits = await prefill(sequence, reference.prompts[index] ?? []);
    let isSame = true;
    for (const [at, token] of answer.entries()) {
      const found = logits.row(logits.rows - 1);
      comparison.add(await reference.logits(index, at), found);
      isSame &&= likeliest(found) === token;
      if (isSame) sameBefore++;
      if (at < answer.length - 1) logits = await sequence.append([token], 1);
    }
    tokens += answer.length;
    if (isSame) sameAnswers++;
  }
  await decoder.release();
  return { sameAnswers, sameBefore: sameBefore / tokens, ...comparison.result() };
}
