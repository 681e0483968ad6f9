import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from '../../lib/files/own-cache.ts';
import { packageFile } from '../../lib/files/package.ts';
import { builtTypes } from '../../lib/model/build/build-model.ts';
import { builtFolder } from '../../lib/model/hub/built-folder.ts';
import { readModelConfig } from '../../lib/model/model-folder.ts';
import { onnxFileName } from '../../lib/model/onnx/session.ts';
import { installPeers, pythonWithTorch } from './model/peers.ts';
import { compareLogits, promptIds } from './weights/compare-logits.ts';
import { writeConvertedGguf } from './weights/converted-gguf.ts';
import { llamaLogits } from './weights/llama-logits.ts';
import { measureBuilt } from './weights/measure-built.ts';
import { conversations, prompts } from './weights/prompts.ts';
import { torchAnswers } from './weights/reference.ts';
import { sourceIn } from './weights/source-in.ts';

/**
 * Built graphs of a real model against transformers on torch: greedy answers to requests about bundled tasks,
 * token by token, next to what hefix measured when it built them. HEFIX_BENCH_WEIGHTS: a folder with config.json,
 * safetensors, tokenizer and chat template, and a GGUF file of the same weights if hefix is to build from that;
 * HEFIX_BENCH_PYTHON: a Python with torch and transformers; HEFIX_BENCH_PROMPTS: 50; HEFIX_BENCH_TOKENS: 48;
 * HEFIX_BENCH_THREADS: 1.
 */
test('built graphs of real weights', { timeout: 7_200_000 }, async () => {
  const weights = process.env.HEFIX_BENCH_WEIGHTS;
  const python = pythonWithTorch();
  if (weights === undefined || !existsSync(weights) || typeof python === 'string') {
    console.log(
      `Not measured: ${typeof python === 'string' ? python : 'HEFIX_BENCH_WEIGHTS names no folder'}.`,
    );
    return;
  }
  const scratch = await mkdtemp(join(tmpdir(), 'hefix-weights-'));
  const env = { HEFIX_CACHE: join(cacheFolder(process.env), 'bench') };
  try {
    const source = sourceIn(weights);
    await mkdir(env.HEFIX_CACHE, { recursive: true });
    const float = await builtFolder(source, 'fp32', { env });
    const count = Number(process.env.HEFIX_BENCH_PROMPTS ?? 50);
    const reference = await torchAnswers(python.command, {
      texts: float.folder,
      weights,
      scratch,
      tokens: Number(process.env.HEFIX_BENCH_TOKENS ?? 48),
      threads,
      messages: prompts(count),
      conversations: conversations(count),
    });
    const tokens = reference.answers.reduce((sum, answer) => sum + answer.length, 0);
    const alike = reference.rendered.filter(({ here, there }) => here === there).length;
    console.log(`${python.versions}; ${reference.answers.length} answers, ${tokens} tokens`);
    console.log(
      `chat template: ${alike} of ${reference.rendered.length} conversations the same, byte for byte`,
    );
    console.log(line('', 'same answers', 'before a difference', 'same token', 'KL', "hefix's own KL"));
    for (const weightType of builtTypes) {
      const { folder, exactness } = await builtFolder(source, weightType, { env });
      const found = await measureBuilt(folder, onnxFileName(weightType), reference, threads);
      const own = exactness === null ? '' : exactness.divergence.toFixed(5);
      const { sameAnswers, sameBefore, sameToken, divergence } = found;
      console.log(
        line(weightType, sameAnswers, percent(sameBefore), percent(sameToken), divergence.toFixed(5), own),
      );
      if (weightType === 'fp32') expect(divergence).toBeLessThan(1e-4);
    }
    const { weightType } = await builtFolder(source, 'auto', { env });
    console.log(`auto: ${weightType}`);
    await reference.close();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});

/**
 * fp32 built from a GGUF file against llama.cpp: with the file's own types, where llama.cpp rounds activations
 * to 8 bits, and with the same weights in float32, where it does not. HEFIX_BENCH_WEIGHTS: as above.
 */
test('a GGUF file and llama.cpp', { timeout: 3_600_000 }, async () => {
  const weights = process.env.HEFIX_BENCH_WEIGHTS;
  const source = weights === undefined || !existsSync(weights) ? null : sourceIn(weights);
  if (source?.kind !== 'gguf') {
    console.log('Not measured: HEFIX_BENCH_WEIGHTS names no folder with a GGUF file.');
    return;
  }
  const peers = packageFile('.peers');
  await installPeers(peers);
  const scratch = await mkdtemp(join(tmpdir(), 'hefix-weights-'));
  const env = { HEFIX_CACHE: join(cacheFolder(process.env), 'bench') };
  try {
    const { folder } = await builtFolder(source, 'fp32', { env });
    const ids = await promptIds(folder, prompts(4));
    const { vocab_size: vocabulary } = await readModelConfig(folder);
    const inFloat = join(scratch, 'float.gguf');
    await writeConvertedGguf(source.path, inFloat, 'F32');
    console.log(line('', 'positions', 'same token', 'KL', 'largest difference'));
    for (const [name, modelPath] of [
      ['as it is', source.path],
      ['in F32', inFloat],
    ] as const) {
      const run = llamaLogits({ peers, modelPath, threads, prompts: ids, vocabulary });
      const { positions, sameToken, divergence, largest } = await compareLogits(folder, ids, run, threads);
      console.log(line(name, positions, percent(sameToken), divergence.toExponential(2), largest.toFixed(4)));
      if (modelPath === inFloat) expect(divergence).toBeLessThan(1e-5);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});

const threads = Number(process.env.HEFIX_BENCH_THREADS ?? 1);

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function line(...cells: readonly (string | number)[]): string {
  return cells.map((cell, index) => (index === 0 ? `${cell}`.padEnd(8) : `${cell}`.padStart(20))).join('');
}
