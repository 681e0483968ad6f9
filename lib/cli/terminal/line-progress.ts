import { printable } from '../../core/printable.ts';
import type { RunRecord } from '../../core/record.ts';
import { jobName } from '../../core/record-key.ts';
import type { Job } from '../../run/plan.ts';
import type { QueuedRun } from '../../run/queue/work-queue.ts';
import type { Clock } from '../../run/run.ts';
import type { QueueState, RunEvents } from '../../run/run-events.ts';
import { type Progress, resultText, silentProgress } from './progress.ts';
import { barLine, createPreparationDisplay, createProgressBar } from './progress-bar.ts';
import { onOneLine, taskLine } from './task-line.ts';
import { type Terminal, warningLine } from './terminal.ts';

/**
 * One line per job; on a terminal also a bar below them with the pass rate, the pace and the current
 * activity.
 */
export function lineProgress(terminal: Terminal, clock: Pick<Clock, 'now'>): Progress {
  const bar = createProgressBar(terminal);
  const preparing = createPreparationDisplay(terminal, bar);
  const pace = createPace(clock);
  const count = { done: 0, total: 0, solved: 0, judged: 0 };
  let ownDone = 0;
  let started = clock.now();
  /** When the last task of this process ended. */
  let ended = started;
  /** What each running job is doing; the most recently updated comes last. */
  const doing = new Map<Job, string>();
  let timer: NodeJS.Timeout | undefined;
  /** Of a run on many machines. */
  let queue: QueueState | undefined;
  const perSecond = () => (1000 * ownDone) / Math.max(1, clock.now() - started);

  const draw = () => {
    const width = terminal.width();
    if (width === null) return;
    const secondsLeft = secondsLeftOf(
      { started, ended, ownDone, left: count.total - count.done },
      clock.now(),
    );
    const current = queue ? queueText(queue, perSecond()) : currentText([...doing.values()]);
    bar.draw(barLine({ ...count, tokensPerSecond: pace.tokensPerSecond(), secondsLeft, current }, width - 1));
  };
  const add = (record: Pick<RunRecord, 'passed'>) => {
    count.done++;
    if (record.passed !== null) count.judged++;
    if (record.passed) count.solved++;
  };
  return {
    warned: sentence => bar.writeAbove(warningLine(terminal, sentence)),
    preparing,
    planned(jobs, done) {
      done.forEach(add);
      count.total = jobs.length;
      started = clock.now();
      if (count.done > 0) bar.writeAbove(`${count.done} of ${count.total} tasks are recorded already\n`);
      if (terminal.width() !== null) timer = setInterval(draw, REDRAW_MS);
    },
    distributed(state) {
      if (state.workers === 0 && queue?.workers !== 0) {
        bar.writeAbove('no worker takes units: start some with hefix worker --queue and the same address\n');
      }
      queue = state;
    },
    started(job) {
      const name = printable(jobName(job.task.id, job.sample));
      const does = (what: string) => {
        doing.delete(job);
        doing.set(job, what);
      };
      does(name);
      let pieces = 0;
      return {
        state: state => does(`${name} ${state}`),
        asked() {},
        generationStarted() {
          pieces = 0;
          pace.begin();
        },
        text() {
          pieces++;
          pace.piece();
        },
        generationEnded: tokens => pace.end(pieces, tokens),
        attempted() {},
        again: ({ code, message }) =>
          bar.writeAbove(`${name} ${terminal.colors.yellow('again')} after ${code}: ${onOneLine(message)}\n`),
        ended(record) {
          doing.delete(job);
          add(record);
          ownDone++;
          ended = clock.now();
          bar.writeAbove(`${taskLine(record, count, terminal)}\n`);
          draw();
        },
      };
    },
    writeAbove: bar.writeAbove,
    finished: result => bar.writeAbove(resultText(result)),
    stop() {
      clearInterval(timer);
      bar.clear();
    },
  };
}

const REDRAW_MS = 100;

function queueText({ workers, active, paused, oldestSeconds }: QueueState, rate: number): string {
  const oldest = oldestSeconds === null ? '' : `, oldest ${Math.round(oldestSeconds)} s`;
  const alive = workers === 1 ? '1 worker' : `${workers} workers`;
  return `${rate.toFixed(1)} units/s, ${alive}${paused ? ', paused' : ''}, ${active} running${oldest}`;
}

function currentText(doing: readonly string[]): string {
  const last = doing.at(-1) ?? '';
  return doing.length > 1 ? `${last}, ${doing.length - 1} more` : last;
}

/** The model's tokens per second, including the text being written; idle time is excluded. */
function createPace(clock: Pick<Clock, 'now'>) {
  let [tokens, milliseconds, asking, since] = [0, 0, 0, 0];
  return {
    begin() {
      if (asking++ === 0) since = clock.now();
    },
    /** A piece of text is about one token. */
    piece() {
      tokens++;
    },
    /** Replaces the estimate for `pieces` by the actual number of tokens. */
    end(pieces: number, completionTokens: number) {
      tokens += completionTokens - pieces;
      if (--asking === 0) milliseconds += clock.now() - since;
    },
    tokensPerSecond(): number | null {
      const spent = milliseconds + (asking === 0 ? 0 : clock.now() - since);
      return tokens === 0 || spent === 0 ? null : (tokens / spent) * 1000;
    },
  };
}

/**
 * The time that the remaining tasks take if they are as fast as those before. The time that the running ones have taken
 * already counts, so that the estimate falls between their ends; at least a second is left.
 */
function secondsLeftOf(
  {
    started,
    ended,
    ownDone,
    left,
  }: { readonly started: number; readonly ended: number; readonly ownDone: number; readonly left: number },
  now: number,
): number | null {
  if (ownDone === 0) return null;
  if (left === 0) return 0;
  const whole = ((ended - started) / ownDone) * left;
  return Math.max(1000, whole - (now - ended)) / 1000;
}

export interface WorkerProgress {
  readonly events: RunEvents;
  joined(run: QueuedRun): void;
  worked(record: RunRecord): void;
}

/** One line for each run that a worker joins, and for each unit that it has done. */
export function workerProgress(terminal: Terminal, quiet: boolean): WorkerProgress {
  const silent = silentProgress();
  const warned = (sentence: string) => terminal.write(warningLine(terminal, sentence));
  const count = { done: 0, total: 0 };
  return {
    events: quiet
      ? { ...silent, warned }
      : { ...silent, warned, preparing: createPreparationDisplay(terminal, createProgressBar(terminal)) },
    joined({ manifest }) {
      count.done = 0;
      count.total = manifest.planned ?? 0;
      if (!quiet)
        terminal.write(`joined ${printable(manifest.model.name)} on ${printable(manifest.dataset.name)}\n`);
    },
    worked(record) {
      count.done++;
      if (!quiet) terminal.write(`${taskLine(record, count, terminal)}\n`);
    },
  };
}
