import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { buildModel } from '../../lib/model/build/build-model.ts';
import { onnxFileName } from '../../lib/model/onnx/session.ts';
import { hefixTypes } from './model/contestants.ts';
import { makeRandomModel } from './model/random-model.ts';

/**
 * Resident memory and collections of a model of Qwen2.5-0.5B's shape, on one thread; each weight type in a process of
 * its own. HEFIX_BENCH_PASSES: number of passes (1,000).
 */
test('memory of a model', { timeout: 7_200_000 }, async () => {
  const source = packageFile('.peers/random-0.5b');
  const target = packageFile('.peers/memory');
  await makeRandomModel(source);
  await mkdir(target, { recursive: true });
  const passes = process.env.HEFIX_BENCH_PASSES ?? '1000';
  const measured: Record<string, unknown> = {};
  for (const weightType of hefixTypes) {
    const file = join(target, onnxFileName(weightType));
    if (!existsSync(file)) await buildModel({ source, target, weightType });
    await copyFile(join(source, 'config.json'), `${file}.config.json`);
    const program = packageFile('test/bench/model/passes.mjs');
    const { stdout } = await execa(process.execPath, [program, packageFile('dist/lib'), file, passes]);
    measured[weightType] = JSON.parse(stdout);
  }
  console.table(measured);
});
