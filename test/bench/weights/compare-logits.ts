import { join } from 'node:path';
import type { Message } from '../../../lib/core/ports.ts';
import { createComparison } from '../../../lib/model/exactness/measure-exactness.ts';
import { readModelConfig, readModelTexts } from '../../../lib/model/model-folder.ts';
import { openDecoder } from '../../../lib/model/onnx/decoder.ts';
import { createChatTemplate } from '../../../lib/model/text/chat-template.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';

/** Requests as the model reads them. */
export async function promptIds(
  folder: string,
  messages: readonly (readonly Message[])[],
): Promise<number[][]> {
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(folder);
  const { encode } = createTokenizer(tokenizer, tokenizerConfig, folder);
  const render = createChatTemplate(chatTemplate);
  return messages.map(one => [...encode(render(one))]);
}

/** Compares the float32 graph in a folder with rows of logits for the same prompts. */
export async function compareLogits(
  folder: string,
  prompts: readonly (readonly number[])[],
  expected: AsyncGenerator<Float32Array>,
  threads: number,
): Promise<ReturnType<ReturnType<typeof createComparison>['result']> & { readonly largest: number }> {
  const graph = join(folder, 'onnx/model.onnx');
  const decoder = await openDecoder(graph, await readModelConfig(folder), { threads, device: 'cpu' });
  const comparison = createComparison();
  let largest = 0;
  try {
    for (const ids of prompts) {
      const logits = await decoder.empty.fork(0).append(ids, ids.length);
      for (let position = 0; position < ids.length; position++) {
        const row = (await expected.next()).value;
        if (!row) throw new Error('fewer rows of logits than tokens');
        const found = logits.row(position);
        comparison.add(row, found);
        for (let id = 0; id < row.length; id++) largest = Math.max(largest, Math.abs(row[id]! - found[id]!));
      }
    }
  } finally {
    await decoder.release();
  }
  return { ...comparison.result(), largest };
}
