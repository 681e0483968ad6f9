import { useEffect, useState } from 'preact/hooks';
import type { LargeRun, MachineDrawings, Row, RunInfo } from '../../view-data.ts';
import type { Source } from '../data/source.ts';

/** A run, as far as it is loaded. */
export interface Run {
  readonly info: RunInfo;
  /** The last record of each task and sample, in the order of the file. */
  readonly rows: readonly Row[];
  readonly loaded: boolean;
  readonly inProgress: boolean;
  readonly problem: string | null;
  /** Set for a large run, whose `rows` stay on the server. */
  readonly large: LargeRun | null;
}

export interface Runs {
  readonly title: string;
  readonly runs: readonly Run[];
  readonly machines: Readonly<Record<string, MachineDrawings>>;
  /** Why no new data arrives; null if all is well. */
  readonly connectionError: string | null;
}

/** Loads the runs one after another, and follows those in progress. Null until the list is loaded. */
export function useRuns(source: Source): Runs | null {
  const [runs, setRuns] = useState<Runs | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    follow(source, setRuns, ended.signal);
    return () => ended.abort();
  }, [source]);
  return runs;
}

/** Milliseconds between requests for runs in progress; new runs are listed every few requests. */
const PERIOD = 1000;
const ROUNDS_PER_LIST = 5;
/** Milliseconds between the parts of a large run. */
const PAUSE = 50;

interface State {
  info: RunInfo;
  generation: number;
  all: Row[];
  run: Run;
}

async function follow(source: Source, show: (runs: Runs) => void, signal: AbortSignal): Promise<void> {
  const states = new Map<string, State>();
  let shown: Runs = { title: '', runs: [], machines: {}, connectionError: null };
  const publish = (changed: Partial<Runs> = {}) => {
    shown = { ...shown, ...changed, runs: [...states.values()].map(({ run }) => run) };
    if (!signal.aborted) show(shown);
  };
  for (let round = 0; !signal.aborted; round++) {
    try {
      const isListed = round % ROUNDS_PER_LIST === 0 || shown.connectionError !== null;
      if (isListed) {
        const { title, machines, runs } = await source.list();
        arrange(states, runs);
        publish({ title, machines, connectionError: null });
      }
      for (const state of states.values()) {
        if (isListed || state.run.inProgress) await load(source, state, publish);
      }
    } catch (error) {
      publish({
        connectionError: error instanceof TypeError ? ENDED : String(Object(error).message ?? error),
      });
    }
    if (!source.live) return;
    await new Promise(resolve => setTimeout(resolve, PERIOD));
  }
}

const ENDED = 'hefix view has stopped; this page is no longer updated.';

/** Keeps loaded data of runs that still exist, in the order of the list. */
function arrange(states: Map<string, State>, infos: readonly RunInfo[]): void {
  const before = new Map(states);
  states.clear();
  for (const info of infos) {
    const earlier = before.get(info.id);
    const run = { info, rows: [], loaded: false, inProgress: false, problem: info.problem, large: null };
    states.set(
      info.id,
      earlier ? { ...earlier, info, run: { ...earlier.run, info } } : { info, generation: 0, all: [], run },
    );
  }
}

async function load(source: Source, state: State, publish: () => void): Promise<void> {
  for (;;) {
    const { id, problem: unknown } = state.info;
    const got = await source.rows(id, state.generation, state.all.length);
    if (got.generation !== state.generation) state.all = [];
    state.generation = got.generation;
    state.all.push(...got.rows);
    const problem = unknown ?? got.problem;
    const { run } = state;
    const same =
      got.rows.length === 0 &&
      run.loaded &&
      run.inProgress === got.inProgress &&
      run.problem === problem &&
      run.large?.records === got.large?.records;
    if (same) return;
    state.run = {
      info: state.info,
      rows: got.rows.length === 0 && state.all.length > 0 ? run.rows : lastOfEach(state.all),
      loaded: !got.more,
      inProgress: got.inProgress,
      problem,
      large: got.large,
    };
    publish();
    if (!got.more) return;
    // The first tasks of a large run are asked for before the next part is read.
    if (got.large !== null) await new Promise(resolve => setTimeout(resolve, PAUSE));
  }
}

/** A task that ended with an error may be recorded again later in the file. */
function lastOfEach(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map(row => [`${row.sample} ${row.task_id}`, row])).values()];
}

/** Number of records that are read. */
export function recordsOf({ rows, large }: Run): number {
  return large?.records ?? rows.length;
}
