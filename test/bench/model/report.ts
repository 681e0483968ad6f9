import { type Contestant, hefixTypes } from './contestants.ts';
import type { Engine, Measured } from './engine.ts';
import type { RecordedRepair, Stream } from './recorded-repairs.ts';

/** The measurements of one engine. */
export interface Running {
  readonly contestant: Contestant;
  readonly engine: Engine;
  /** The attempts of each repair. */
  readonly repairs: Measured[][];
  /** Time per token at one token per pass. */
  readonly decode: Pick<Measured, 'seconds' | 'cpuSeconds'>[];
}

/** Wall-clock time, or the processor time of all threads, which is more meaningful under other load. */
type Clock = 'seconds' | 'cpuSeconds';

export function repairsText(repairs: readonly RecordedRepair[], threads: number): string {
  const streams = repairs.flatMap(repair => repair.streams);
  const mean = (length: (stream: Stream) => number) =>
    Math.round(streams.reduce((sum, stream) => sum + length(stream), 0) / streams.length);
  return `${repairs.map(({ task }) => task).join(', ')}: each a draft and three reflections, ${mean(s => s.prompt.length)} tokens of prompt and ${mean(s => s.answer.length)} of answer on average; threads: ${threads}`;
}

/** `bandwidth`: bytes per second; `peak`: MiB. Seconds of processor time are in brackets. */
export function engineText(
  running: Running,
  repairs: readonly RecordedRepair[],
  bandwidth: number,
  peak: number,
): string {
  const { contestant, engine, decode } = running;
  const streams = repairs.slice(0, running.repairs.length).flatMap(repair => repair.streams);
  const emitted = streams.reduce((sum, { answer }) => sum + answer.length, 0);
  const passes = running.repairs.flat().reduce((sum, attempt) => sum + attempt.passes, 0);
  const limit = (contestant.bytesPerToken / bandwidth) * 1000;
  const mean = (attempts: number) => {
    const [wall, cpu] = (['seconds', 'cpuSeconds'] as const).map(clock => {
      const each = running.repairs.map(repair => total({ repairs: [repair] }, attempts, clock));
      const [least, most] = [Math.min(...each).toFixed(2), Math.max(...each).toFixed(2)];
      return `${(total(running, attempts, clock) / each.length).toFixed(2)} (${least}–${most})`;
    });
    return `${wall} s [${cpu}]`;
  };
  const undrafted = (['seconds', 'cpuSeconds'] as const).map(clock =>
    (1000 * median(decode.map(measured => measured[clock]))).toFixed(1),
  );
  return [
    contestant.name,
    `  one attempt ${mean(1)}, draft and three reflections ${mean(4)}, ${(emitted / passes).toFixed(2)} tokens a pass`,
    `  ${undrafted[0]} ms [${undrafted[1]}] a token without drafts, where the memory allows ${limit.toFixed(1)}: ${perSecond(undrafted[0])} and ${perSecond(limit)} tokens a second`,
    `  load ${engine.loadSeconds.toFixed(2)} s, peak memory ${Math.round(peak)} MiB`,
  ].join('\n');
}

function perSecond(milliseconds: number | string | undefined): string {
  return (1000 / Number(milliseconds)).toFixed(1);
}

/** The other engines' times as multiples of hefix's, and the goals. */
export function ratiosText(engines: readonly Running[]): string {
  const own = engines.filter(({ contestant }) =>
    hefixTypes.some(type => contestant.name === `hefix ${type}`),
  );
  const compared = (peerName: string, mine: readonly Running[], attempts: number, goal: number | null) => {
    const peer = engines.find(({ contestant }) => contestant.name === peerName);
    if (peer === undefined || peer.repairs.length === 0) return [];
    const [wall = 0, cpu = 0] = (['seconds', 'cpuSeconds'] as const).map(clock =>
      Math.max(...mine.map(one => ratio(peer, one, attempts, clock))),
    );
    const outcome = goal === null ? '' : ` (goal ${goal}: ${wall >= goal ? 'met' : 'missed'})`;
    const what = attempts === 1 ? 'one attempt' : 'draft and three reflections';
    const which = mine.length === 1 ? mine[0]?.contestant.name : 'hefix with its best weight type';
    return [`${wall.toFixed(2)} [${cpu.toFixed(2)}] ${peerName} / ${which}, ${what}${outcome}`];
  };
  const q4 = own.filter(({ contestant }) => contestant.name === 'hefix q4');
  const goalless = engines.filter(({ contestant }) => contestant.mostRepairs !== undefined);
  return [
    compared('transformers.js q4', q4, 1, 2.5),
    compared('transformers.js q4', own, 1, 4.5),
    compared('transformers.js q4', own, 4, 6),
    ...[1, 4].map(attempts => compared('node-llama-cpp Q4_0', own, attempts, 2.5)),
    ...[1, 4].map(attempts => compared('node-llama-cpp Q4_0 with lookup', own, attempts, 2.5)),
    ...goalless.flatMap(({ contestant }) =>
      [1, 4].map(attempts => compared(contestant.name, own, attempts, null)),
    ),
  ]
    .flat()
    .join('\n');
}

/** On the repairs that both took part in. */
function ratio(peer: Running, mine: Running, attempts: number, clock: Clock): number {
  const repairs = mine.repairs.slice(0, peer.repairs.length);
  return total(peer, attempts, clock) / total({ repairs }, attempts, clock);
}

function total({ repairs }: Pick<Running, 'repairs'>, attempts: number, clock: Clock): number {
  return repairs
    .flatMap(repair => repair.slice(0, attempts))
    .reduce((sum, measured) => sum + measured[clock], 0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
