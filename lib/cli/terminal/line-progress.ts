import stringWidth from 'string-width';
import type { Selection } from '../../core/attempt.ts';
import { countsText } from '../../core/counts.ts';
import { jobName, type RunRecord } from '../../core/record.ts';
import { printable } from '../../core/text.ts';
import type { AssertionCounts } from '../../core/verdict.ts';
import { summaryText } from '../../report/summary-text.ts';
import type { Job } from '../../run/plan.ts';
import type { QueuedRun } from '../../run/queue/work-queue.ts';
import type { Clock, RunResult } from '../../run/run.ts';
import { type QueueState, type RunEvents, silentEvents } from '../../run/run-events.ts';
import { barLine, createPreparationDisplay, createProgressBar } from './progress-bar.ts';
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
  let doneHere = 0;
  let started = clock.now();
  /** When the last task of this process ended. */
  let ended = started;
  /** What each running job is doing; the most recently updated comes last. */
  const doing = new Map<Job, string>();
  let timer: NodeJS.Timeout | undefined;
  /** Of a run on many machines. */
  let queue: QueueState | undefined;
  const perSecond = () => (1000 * doneHere) / Math.max(1, clock.now() - started);

  const draw = () => {
    const width = terminal.width();
    if (width === null) return;
    const secondsLeft = secondsLeftOf(
      { started, ended, doneHere, left: count.total - count.done },
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
      const does = (activity: string) => {
        doing.delete(job);
        doing.set(job, activity);
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
          doneHere++;
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
    doneHere,
    left,
  }: { readonly started: number; readonly ended: number; readonly doneHere: number; readonly left: number },
  now: number,
): number | null {
  if (doneHere === 0) return null;
  if (left === 0) return 0;
  const whole = ((ended - started) / doneHere) * left;
  return Math.max(1000, whole - (now - ended)) / 1000;
}

interface WorkerProgress {
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

/** The progress display of a run. */
export interface Progress extends RunEvents {
  /** Writes whole lines above the part that is redrawn. */
  writeAbove(text: string): void;
  /** Shows the results of the run. */
  finished(result: RunResult): void;
  /** Clears the part that is redrawn. */
  stop(): void;
}

/** Shows nothing. */
export function silentProgress(): Progress {
  const nothing = () => {};
  return { ...silentEvents(), writeAbove: nothing, finished: nothing, stop: nothing };
}

/** The results of a run as text. */
export function resultText({ summary, dataset, records, reports = [] }: RunResult): string {
  const drawn = reports.map(path => `report in ${path}\n`).join('');
  return `\n${summaryText(summary, { dataset })}records in ${records}\n${drawn}`;
}

/** `4/82`: number of finished tasks and of all tasks. */
interface Count {
  readonly done: number;
  readonly total: number;
}

/**
 * The result of one task on one line: `✗ 4/82 Python/4 failed in iteration 3, 24.7 s: …`. The message is shortened in its
 * middle until the line fits the terminal, or a log; the record holds all of it.
 */
export function taskLine(record: RunRecord, count: Count, { colors, width }: Terminal): string {
  const { passed, verdict, error } = record;
  const mark = passed ? colors.green('✓') : error ? colors.yellow('✗') : colors.red('✗');
  const name = `${count.done}/${count.total} ${printable(jobName(record.task_id, record.sample))}`;
  const time = `${record.runtime_sec.toFixed(1)} s`;
  const [kind, paint] = error
    ? ([`error ${error.code}`, colors.yellow] as const)
    : passed
      ? (['passed', colors.green] as const)
      : ([verdict?.kind ?? 'no-code', colors.red] as const);
  const message = onOneLine(error?.message ?? (passed ? '' : (verdict?.message ?? '')));
  const space = (width() ?? LOG_COLUMNS) - 1 - stringWidth(`✓ ${name} ${kind}, ${time}`);
  const said = error || isGiven(record) ? '' : ` ${whenText(record)}`;
  const when = stringWidth(said) <= space ? said : '';
  const room = space - stringWidth(when) - 2;
  const shown = message === '' || room < MIN_MESSAGE ? '' : `: ${shortened(message, room)}`;
  return `${mark} ${name} ${paint(kind)}${when}, ${colors.dim(time)}${shown}`;
}

/** Of a line where there is no terminal. A message may quote whole functions of a model. */
const LOG_COLUMNS = 500;

/** With fewer columns than this, a message is left out. */
const MIN_MESSAGE = 12;

/** Replaces line breaks in a message, such as those of an edit's code, by spaces. */
export function onOneLine(message: string): string {
  return printable(message.trim().replaceAll(/(?<!\s)\s*\n\s*/g, ' '));
}

/** Whether the candidate was made elsewhere. */
function isGiven({ attempts }: RunRecord): boolean {
  return attempts[0]?.node === 'given';
}

function whenText({ search, iters }: RunRecord): string {
  if (search) return `by search, ${search.tried} of ${search.candidates} candidates tried`;
  return iters === 0 ? 'with the draft' : `in iteration ${iters}`;
}

/**
 * Shortens a text to so many columns of a terminal by leaving out its middle. The package cli-truncate exceeds the
 * columns by one where wide characters are cut.
 */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const half = Math.max(0, columns - 1) / 2;
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return `${upTo(letters, Math.ceil(half)).join('')}…${upTo(letters.toReversed(), Math.floor(half)).toReversed().join('')}`;
}

const graphemes = new Intl.Segmenter();

function upTo(letters: readonly string[], columns: number): string[] {
  let used = 0;
  const end = letters.findIndex(letter => {
    used += stringWidth(letter);
    return used > columns;
  });
  return letters.slice(0, end === -1 ? letters.length : end);
}

/**
 * A candidate's source, the checks that it was run on before the hidden tests, and how many candidates each
 * check rejected.
 */
export function selectionLines({ origin, ranked, left_out, checks, agrees, time_up }: Selection): string[] {
  const from = `${origin.kind} ${origin.rank} of ${origin.of}${ranked ? ', ranked by the model' : ''}`;
  return [
    checks.length === 0 ? `${from}; nothing was run before the tests` : from,
    ...(left_out > 0 ? [`${left_out} left out: not applicable, not parsed, or tried before`] : []),
    ...checks.map(
      ({ source, code, rejected }) => `${rejected} rejected by ${sourceNames[source]} ${printable(code)}`,
    ),
    ...(time_up ? ['the time of the search was up before all candidates were tried'] : []),
    ...(agrees || time_up ? [] : ['no candidate passed all checks; this one passed the most']),
  ];
}

const sourceNames = {
  docstring: 'the docstring’s',
  dataset: 'the example tests’',
  revealed: 'an earlier failure’s',
} as const;

/** How many assertions pass, and a line for each of the failing ones that are known. */
export function countsLines(counts: AssertionCounts): string[] {
  const places = counts.failing.map(({ line, source }) =>
    counts.unit ? `fails: ${source}` : `fails: line ${line}: ${source}`,
  );
  return [`${countsText(counts)}.`, ...places.map(printable)];
}
