import { availableParallelism } from 'node:os';
import { test } from 'vitest';
import { seededRandom } from '../../lib/core/random.ts';
import { contestants } from './model/contestants.ts';
import { startEngine } from './model/engine.ts';
import { memoryBandwidth } from './model/memory-bandwidth.ts';
import { type RecordedRepair, recordRepairs, type Stream } from './model/recorded-repairs.ts';
import { engineText, type Running, ratiosText, repairsText } from './model/report.ts';

/**
 * Times a repair with a model of Qwen2.5-0.5B's shape, in hefix and in other engines with the same weights.
 * Recorded answers are forced on all engines, which compute everything as if they had chosen them. All
 * engines are loaded at once and alternate with each answer, so that other load affects all of them; the
 * ratios count. Processor time is in brackets: with one thread, it is the time on an idle machine.
 * HEFIX_BENCH_TASKS: number of repairs (4); HEFIX_BENCH_THREADS: threads per engine (all processors);
 * HEFIX_BENCH_PYTHON: a Python with torch and transformers (python3).
 */
test('the generation loop against others', { timeout: 7_200_000 }, async ({ skip }) => {
  const recorded = await recordRepairs(1 + Number(process.env.HEFIX_BENCH_TASKS ?? 4));
  // The last one warms up: a prompt that hefix has seen would be in its cache.
  const [warmUp] = recorded?.at(-1)?.streams ?? [];
  const repairs = recorded?.slice(0, -1) ?? [];
  if (warmUp === undefined || repairs.length === 0) {
    return skip('there are no recorded repairs to measure');
  }
  const threads = Number(process.env.HEFIX_BENCH_THREADS ?? availableParallelism());
  const taking = await contestants(threads);
  const bandwidth = await memoryBandwidth(threads);
  console.log(repairsText(repairs, threads));
  const engines: Running[] = [];
  for (const contestant of taking) {
    engines.push({ contestant, engine: await startEngine(contestant), repairs: [], decode: [] });
  }
  for (const { engine } of engines) await engine.answer({ ...warmUp, answer: warmUp.answer.slice(0, 2) });
  for (const [index, repair] of repairs.entries()) {
    await measureRepair(engines, index, repair);
    console.log(`\nafter ${repair.task}\n${ratiosText(engines)}`);
  }
  await measureDecoding(engines, warmUp);
  const peaks: number[] = [];
  for (const { engine } of engines) peaks.push(await engine.end());
  engines.forEach((running, index) => {
    console.log(engineText(running, repairs, bandwidth, peaks[index] ?? Number.NaN));
  });
  console.log(`\n${ratiosText(engines)}`);
});

async function measureRepair(
  engines: readonly Running[],
  index: number,
  { streams }: RecordedRepair,
): Promise<void> {
  for (const [turn, stream] of streams.entries()) {
    for (let place = 0; place < engines.length; place++) {
      const running = engines[(place + turn + index) % engines.length];
      if (running === undefined || index >= (running.contestant.mostRepairs ?? Number.POSITIVE_INFINITY))
        continue;
      const measured = await running.engine.answer(stream);
      if (turn === 0) running.repairs.push([]);
      running.repairs.at(-1)?.push(measured);
    }
  }
}

/** Random tokens after a real prompt: nothing can be drafted, so each takes a pass. */
async function measureDecoding(engines: readonly Running[], stream: Stream): Promise<void> {
  const random = seededRandom(7);
  const tokens = Array.from({ length: 17 }, () => 1000 + Math.floor(random() * 100_000));
  for (let round = 0; round < 3; round++) {
    for (const { engine, contestant, decode } of engines) {
      if (contestant.mostRepairs !== undefined && round > 0) continue;
      const short = await engine.answer({ ...stream, answer: tokens.slice(0, 1) });
      const long = await engine.answer({ ...stream, answer: tokens });
      decode.push({
        seconds: (long.seconds - short.seconds) / (tokens.length - 1),
        cpuSeconds: (long.cpuSeconds - short.cpuSeconds) / (tokens.length - 1),
      });
    }
  }
}
