import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { cacheFolder } from '../../lib/files/own-cache.ts';
import { builtFolder } from '../../lib/model/hub/built-folder.ts';
import { startEngine } from './model/engine.ts';
import { textEngines } from './text/engines.ts';
import { recordAnswers } from './text/recorded-answers.ts';
import { answersText, type RunningEngine, textTable } from './text/report.ts';
import { sourceIn } from './weights/source-in.ts';

/**
 * Speed and memory with real weights and real text, in hefix and in other engines. The model writes answers when hefix
 * repairs bundled tasks with it; these are forced on all engines, which compute and sample everything as if they had
 * chosen them. All engines are loaded at once and take turns with each answer, so that other load affects all of them.
 * HEFIX_BENCH_WEIGHTS and HEFIX_BENCH_PYTHON: as for weights.bench.ts; HEFIX_BENCH_PEERS: a folder with transformers.js
 * and node-llama-cpp, otherwise .peers, into which they are installed; HEFIX_BENCH_TASKS: 4, half of them sampled;
 * HEFIX_BENCH_TOKENS: 64; HEFIX_BENCH_THREADS: 1.
 */
test('real text against other engines', { timeout: 7_200_000 }, async () => {
  const folder = process.env.HEFIX_BENCH_WEIGHTS;
  if (folder === undefined || !existsSync(folder)) {
    console.log('Not measured: HEFIX_BENCH_WEIGHTS names no folder.');
    return;
  }
  const threads = Number(process.env.HEFIX_BENCH_THREADS ?? 1);
  const scratch = join(cacheFolder(process.env), 'bench');
  await mkdir(scratch, { recursive: true });
  const env = { HEFIX_CACHE: scratch };
  const source = sourceIn(folder);
  const { folder: float } = await builtFolder(source, 'fp32', { env });
  const recorded = await recordAnswers(float, {
    tasks: 1 + Number(process.env.HEFIX_BENCH_TASKS ?? 4),
    tokens: Number(process.env.HEFIX_BENCH_TOKENS ?? 64),
    threads,
  });
  // The last task warms up: some engines would keep the keys and values of a prompt that is measured.
  const warmUp = recorded.at(-1);
  const answers = recorded.filter(({ task }) => task !== warmUp?.task);
  if (warmUp === undefined || answers.length === 0) throw new Error('the model wrote nothing');
  console.log(answersText(answers, threads));
  const engines: RunningEngine[] = [];
  for (const options of await textEngines({ folder, source, env, scratch, threads })) {
    engines.push({ engine: await startEngine(options), measured: [] });
  }
  for (const { engine } of engines) await engine.answer({ ...warmUp, answer: warmUp.answer.slice(0, 2) });
  console.log(`${engines.length} engines are loaded`);
  for (const [index, answer] of answers.entries()) {
    for (let place = 0; place < engines.length; place++) {
      const running = engines[(place + index) % engines.length];
      running?.measured.push(await running.engine.answer(answer));
    }
  }
  const peaks: number[] = [];
  for (const { engine } of engines) peaks.push(await engine.end());
  for (const mode of ['greedy', 'sampled'] as const)
    console.log(`\n${textTable(engines, answers, mode, peaks)}`);
});
