import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'vitest';
import { median } from '../../lib/core/numbers.ts';
import type { TextModel } from '../../lib/core/ports.ts';
import { ensureDirectory } from '../../lib/files/ensure-directory.ts';
import { packageFile } from '../../lib/files/package.ts';
import { buildModel } from '../../lib/model/build/build-model.ts';
import { readBatching } from '../../lib/model/onnx/batched-passes.ts';
import { createOnnxModel } from '../../lib/model/onnx/onnx-model.ts';
import { makeRandomModel } from './model/random-model.ts';
import { tokenizerFiles } from './model/recorded-repairs.ts';

const NEW_TOKENS = 24;
const ROUNDS = Number(process.env.HEFIX_BENCH_ROUNDS ?? 3);
const PROMPT_TOKENS = Number(process.env.HEFIX_BENCH_PROMPT ?? 300);

/**
 * Tokens a second of several requests at once to a model of Qwen2.5-0.5B's shape, batched and one after
 * another. Both models are loaded at once and alternate, so that other load affects both; the ratio is the
 * median of HEFIX_BENCH_ROUNDS (3). `taskset -c 0` measures one core. HEFIX_BENCH_PROMPT: tokens of each
 * prompt, about (300).
 */
test('requests at once', { timeout: 3_600_000 }, async ({ skip }) => {
  const folder = await randomModel();
  if (folder === null) return skip('there is no tokenizer for the model');
  const threads = availableParallelism();
  const open = (requests: number) => createOnnxModel({ folder, weightType: 'w8a8', threads, requests });
  const models = [await open(1), await open(8)] as const;
  // The first passes of several requests decide whether to batch.
  await Promise.all(models.map(model => answers(model, 4, 0)));
  console.log(`\nthreads: ${threads}; ${JSON.stringify(await readBatching(join(folder, 'onnx', GRAPH)))}`);
  for (const isNew of [false, true]) {
    console.log(`${NEW_TOKENS} tokens each, ${isNew ? 'new prompts' : 'prompts in the cache'}`);
    for (const requests of [1, 2, 4, 8]) {
      const rounds: (readonly [inOrder: number, batched: number])[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const seed = 10 * requests + (isNew ? 1 + round : 0);
        const time = async (model: TextModel): Promise<number> => {
          if (!isNew) await answers(model, requests, seed, 1);
          const started = performance.now();
          await answers(model, requests, seed);
          return (performance.now() - started) / 1000;
        };
        rounds.push([await time(models[0]), await time(models[1])]);
      }
      const [inOrder, batched] = ([0, 1] as const).map(which =>
        ((requests * NEW_TOKENS) / (median(rounds.map(pair => pair[which])) ?? 0)).toFixed(1),
      );
      const times = median(rounds.map(([one, other]) => one / other))?.toFixed(2);
      console.log(`  ${requests}: in order ${inOrder}/s, batched ${batched}/s; ${times} times as fast`);
    }
  }
  await Promise.all(models.map(model => model.close()));
});

const GRAPH = 'model_w8a8.onnx';

async function answers(model: TextModel, requests: number, seed: number, maxNewTokens = NEW_TOKENS) {
  const ask = (index: number) => {
    const content = ` ${100 * seed + index} word`.repeat(PROMPT_TOKENS / 6);
    const messages = [{ role: 'user' as const, content }];
    return model.generate({ messages, temperature: 1, topP: 1, topK: 0, maxNewTokens, seed: index });
  };
  await Promise.all(Array.from({ length: requests }, (_, index) => ask(index)));
}

/** The weights are not prepared: it makes no difference to the time. Null without a tokenizer. */
async function randomModel(): Promise<string | null> {
  const [tokenizer, config] = tokenizerFiles() ?? [];
  if (tokenizer === undefined || config === undefined) return null;
  const source = packageFile('.peers/random-0.5b');
  const folder = packageFile('.peers/random-0.5b-w8a8');
  const target = join(folder, 'onnx');
  if (!existsSync(join(target, GRAPH))) {
    await makeRandomModel(source);
    await ensureDirectory(target);
    await buildModel({ source, target, weightType: 'w8a8' });
  }
  copyFileSync(join(source, 'config.json'), join(folder, 'config.json'));
  writeFileSync(join(folder, 'tokenizer.json'), gunzipSync(await readFile(tokenizer)));
  copyFileSync(config, join(folder, 'tokenizer_config.json'));
  return folder;
}
