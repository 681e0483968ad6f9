import type { Isolation, Jail, Limits } from '../isolation/isolation.ts';
import type { PythonPrograms } from '../python/host/python-programs.ts';
import { type Candidates, candidateDescriptors, forkedCandidates, localCandidates } from './candidates.ts';
import { type ExecutionPair, pairOf } from './execution-pair.ts';
import { forkedJudges, type Judges, judgeDescriptors, PAIRS_AT_ONCE, singleJudge } from './judges.ts';
import type { Program, Toolchain } from './toolchain.ts';

/** Starts a judge and a candidate for each execution. */
export interface Pairs {
  start(judge: Program, candidate: Program): ExecutionPair;
  close(): Promise<void>;
}

interface Batch {
  readonly judges: Judges;
  readonly candidates: Candidates;
  /** Pairs that are not destroyed yet. */
  running: number;
}

/**
 * Where jails can be made inside a jail, processes are forked from one that has everything loaded, which takes
 * a third of the processor time of starting them one by one.
 */
export function createPairs(
  { files, startJudges }: Pick<Toolchain, 'files' | 'startJudges'>,
  { isolation, python, limits }: { isolation: Isolation; python: PythonPrograms; limits: Limits },
): Pairs {
  const batches = new Set<Batch>();
  const { environment = {}, readable, executable } = files;
  const jailOf = ({ argv, readable: own = [] }: Partial<Program> & Pick<Program, 'argv'>): Jail => {
    const jail = isolation.program(argv, [...readable, ...own], limits);
    return { ...jail, env: { ...jail.env, ...environment } };
  };
  const outerJail = (descriptors: readonly number[], folder: string) => {
    const words = [String(PAIRS_AT_ONCE), descriptors.join(), folder].join(' ');
    const argv = [python.executable, ...python.arguments('programs', words)];
    return isolation.outerPrograms?.(argv, { readable: [...readable, folder], executable }, limits);
  };
  const startBatch = (): Batch => {
    const judgesJail = startJudges ? undefined : outerJail(judgeDescriptors, files.judges);
    const candidatesJail = outerJail(candidateDescriptors, files.candidates);
    const judges =
      startJudges?.() ?? (judgesJail ? forkedJudges(judgesJail, environment) : singleJudge(jailOf));
    const candidates = candidatesJail
      ? forkedCandidates(candidatesJail, environment, judges.lines)
      : localCandidates(jailOf);
    return { judges, candidates, running: 0 };
  };
  const end = async (batch: Batch): Promise<void> => {
    batches.delete(batch);
    await Promise.all([batch.judges.destroy(), batch.candidates.destroy()]);
  };
  const startIn = (batch: Batch, judge: Program, candidate: Program): ExecutionPair | null => {
    const started = batch.judges.start(judge);
    if (!started) return null;
    batch.running += 1;
    const pair = pairOf(started, batch.candidates.start(started, candidate));
    let destroyed: Promise<void> | undefined;
    const destroy = async () => {
      await pair.destroy();
      batch.running -= 1;
      if (batch.running === 0 && batch.judges.isUsedUp()) await end(batch);
    };
    return {
      ...pair,
      destroy() {
        destroyed ??= destroy();
        return destroyed;
      },
    };
  };
  return {
    start(judge, candidate) {
      for (const batch of batches) {
        const pair = startIn(batch, judge, candidate);
        if (pair) return pair;
      }
      const batch = startBatch();
      batches.add(batch);
      const pair = startIn(batch, judge, candidate);
      if (!pair) throw new Error('a new batch starts no judge');
      return pair;
    },
    async close() {
      await Promise.all([...batches].map(end));
    },
  };
}
