import { availableParallelism } from 'node:os';
import { test } from 'vitest';
import { seededRandom } from '../../lib/model/random.ts';
import { type Contestant, contestants, hefixTypes } from './model/contestants.ts';
import { type Engine, type Measured, startEngine } from './model/engine.ts';
import { memoryBandwidth } from './model/memory-bandwidth.ts';
import { type RecordedRepair, recordRepairs, type Stream } from './model/recorded-repairs.ts';

/**
 * How long a repair takes with a model of Qwen2.5-0.5B's shape, in hefix and in others that run the same weights. The
 * answers are recorded and forced on all of them, which compute everything as if they had chosen it. All are loaded at
 * once and take turns with each answer, so that a busy moment hits all; what counts are the ratios.
 *
 * HEFIX_BENCH_TASKS: how many repairs (4); HEFIX_BENCH_THREADS: of each engine (all processors);
 * HEFIX_BENCH_PYTHON: a Python with torch and transformers (python3).
 */
test('the generation loop against others', { timeout: 7_200_000 }, async ({ skip }) => {
  const repairs = await recordRepairs(Number(process.env.HEFIX_BENCH_TASKS ?? 4));
  if (repairs === null) return skip('there are no recorded repairs to measure');
  const threads = Number(process.env.HEFIX_BENCH_THREADS ?? availableParallelism());
  const taking = await contestants(threads);
  const bandwidth = await memoryBandwidth(threads);
  describeRepairs(repairs, threads);
  const engines: Running[] = [];
  for (const contestant of taking) {
    engines.push({ contestant, engine: await startEngine(contestant), repairs: [], decode: [] });
  }
  const [warmUp] = repairs.at(-1)?.streams ?? [];
  if (warmUp === undefined) return skip('there are no recorded repairs to measure');
  for (const { engine } of engines) await engine.answer({ ...warmUp, answer: warmUp.answer.slice(0, 2) });
  for (const [index, repair] of repairs.entries()) {
    await measureRepair(engines, index, repair);
    console.log(`measured ${repair.task}`);
  }
  await measureDecoding(engines, warmUp);
  const peaks: number[] = [];
  for (const { engine } of engines) peaks.push(await engine.end());
  engines.forEach((running, index) => {
    console.log(report(running, repairs, bandwidth, peaks[index] ?? Number.NaN));
  });
  console.log(goals(engines));
});

interface Running {
  readonly contestant: Contestant;
  readonly engine: Engine;
  /** For each repair its attempts. */
  readonly repairs: Measured[][];
  /** Milliseconds a token, one token a pass. */
  readonly decode: number[];
}

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

/** Random tokens after a real prompt: nothing can be drafted, so that each takes a pass. */
async function measureDecoding(engines: readonly Running[], stream: Stream): Promise<void> {
  const random = seededRandom(7);
  const tokens = Array.from({ length: 17 }, () => 1000 + Math.floor(random() * 100_000));
  for (let round = 0; round < 3; round++) {
    for (const { engine, contestant, decode } of engines) {
      if (contestant.mostRepairs !== undefined && round > 0) continue;
      const short = await engine.answer({ ...stream, answer: tokens.slice(0, 1) });
      const long = await engine.answer({ ...stream, answer: tokens });
      decode.push(((long.seconds - short.seconds) * 1000) / (tokens.length - 1));
    }
  }
}

function describeRepairs(repairs: readonly RecordedRepair[], threads: number): void {
  const streams = repairs.flatMap(repair => repair.streams);
  const mean = (length: (stream: Stream) => number) =>
    Math.round(streams.reduce((sum, stream) => sum + length(stream), 0) / streams.length);
  console.log(
    `${repairs.map(({ task }) => task).join(', ')}: each a draft and three reflections, ${mean(s => s.prompt.length)} tokens of prompt and ${mean(s => s.answer.length)} of answer on average, ${threads} threads`,
  );
}

function report(
  running: Running,
  repairs: readonly RecordedRepair[],
  bandwidth: number,
  peak: number,
): string {
  const { contestant, engine, decode } = running;
  const attempts = running.repairs.flat();
  const tokens = repairs.slice(0, running.repairs.length).flatMap(({ streams }) => streams);
  const emitted = tokens.reduce((sum, { answer }) => sum + answer.length, 0);
  const passes = attempts.reduce((sum, attempt) => sum + attempt.passes, 0);
  const limit = (contestant.bytesPerToken / bandwidth) * 1000;
  return [
    contestant.name.padEnd(36),
    `attempt ${(seconds(running, 1) / running.repairs.length).toFixed(2)} s`,
    `draft and 3 ${(seconds(running, 4) / running.repairs.length).toFixed(2)} s`,
    `${(emitted / passes).toFixed(2)} tokens a pass`,
    `${median(decode).toFixed(1)} ms a token undrafted (memory limit ${limit.toFixed(1)})`,
    `load ${engine.loadSeconds.toFixed(2)} s`,
    `peak ${Math.round(peak)} MiB`,
  ].join('  ');
}

/** Of the first attempts of all repairs, or of the first so many repairs. */
function seconds({ repairs }: Running, attempts: number, most = repairs.length): number {
  return repairs
    .slice(0, most)
    .flatMap(repair => repair.slice(0, attempts))
    .reduce((sum, measured) => sum + measured.seconds, 0);
}

function goals(engines: readonly Running[]): string {
  const own = hefixTypes.map(type => `hefix ${type}`);
  const find = (name: string) => engines.find(({ contestant }) => contestant.name === name);
  const ratio = (peer: Running, mine: Running, attempts: number) =>
    seconds(peer, attempts) / seconds(mine, attempts, peer.repairs.length);
  const best = (peer: Running, attempts: number) =>
    Math.max(...own.flatMap(name => find(name) ?? []).map(mine => ratio(peer, mine, attempts)));
  const [js, llama, lookup] = [
    'transformers.js q4',
    'node-llama-cpp Q4_0',
    'node-llama-cpp Q4_0 with lookup',
  ].map(find);
  const q4 = find('hefix q4');
  if (!js || !llama || !lookup || !q4) return '';
  const line = (what: string, value: number, goal: number) =>
    `${value.toFixed(2)} times ${what} (goal ${goal}: ${value >= goal ? 'met' : 'missed'})`;
  const others = engines.filter(({ contestant }) => contestant.mostRepairs !== undefined);
  return [
    line('transformers.js, one attempt, the same int4 weights', ratio(js, q4, 1), 1.8),
    line('transformers.js, one attempt, best weight type', best(js, 1), 3),
    line('transformers.js, draft and three reflections, best weight type', best(js, 4), 5),
    line('node-llama-cpp, one attempt, best weight type', best(llama, 1), 2),
    line('node-llama-cpp, draft and three reflections, best weight type', best(llama, 4), 2),
    line('node-llama-cpp with lookup, one attempt, best weight type', best(lookup, 1), 1),
    line('node-llama-cpp with lookup, draft and three reflections, best weight type', best(lookup, 4), 1),
    ...others.map(
      peer =>
        `${best(peer, 1).toFixed(2)} times ${peer.contestant.name}, one attempt; ${best(peer, 4).toFixed(2)}, draft and three reflections`,
    ),
  ].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
