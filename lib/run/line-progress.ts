import { type Progress, resultText } from './progress.ts';
import { barLine, createProgressBar } from './progress-bar.ts';
import type { RunRecord } from './record.ts';
import type { Clock } from './run.ts';
import { printable, type Terminal } from './terminal.ts';

/** One line a task; on a terminal a bar below them with the pass rate, the pace and what goes on. */
export function lineProgress(terminal: Terminal, clock: Pick<Clock, 'now'>): Progress {
  const bar = createProgressBar(terminal);
  const pace = createPace(clock);
  const count = { done: 0, total: 0, solved: 0, judged: 0 };
  let ownDone = 0;
  let started = clock.now();
  let current = '';
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const width = terminal.width();
    if (width === null) return;
    const left = count.total - count.done;
    const secondsLeft = ownDone === 0 ? null : (((clock.now() - started) / ownDone) * left) / 1000;
    bar.draw(barLine({ ...count, tokensPerSecond: pace.tokensPerSecond(), secondsLeft, current }, width - 1));
  };
  const add = (record: RunRecord) => {
    count.done++;
    if (record.passed !== null) count.judged++;
    if (record.passed) count.solved++;
  };
  let task = '';
  return {
    warned: sentence => bar.above(`${terminal.colors.yellow('warning')} ${sentence}\n`),
    planned(tasks, held) {
      const wanted = new Set(tasks.map(({ id }) => id));
      held.filter(record => wanted.has(record.task_id)).forEach(add);
      count.total = tasks.length;
      started = clock.now();
      if (count.done > 0) bar.above(`${count.done} of ${count.total} tasks are recorded already\n`);
      if (terminal.width() !== null) timer = setInterval(draw, REDRAW_MS);
    },
    taskStarted(next) {
      task = printable(next.id);
      current = task;
    },
    state(state) {
      current = `${task} ${state}`;
    },
    generationStarted: pace.begin,
    text: pace.piece,
    generationEnded: pace.end,
    attempted() {},
    taskEnded(record) {
      add(record);
      ownDone++;
      bar.above(`[${count.done}/${count.total}] ${taskLine(record, terminal)}\n`);
      draw();
    },
    finished: result => bar.above(resultText(result)),
    stop() {
      clearInterval(timer);
      bar.clear();
    },
  };
}

const REDRAW_MS = 100;

/** `Python/4 passed in iteration 1, 3.2 s`. */
export function taskLine(record: RunRecord, { colors }: Terminal): string {
  const when = record.iters === 0 ? 'with the draft' : `in iteration ${record.iters}`;
  const time = colors.dim(`${record.runtime_sec.toFixed(1)} s`);
  const { passed, verdict, error } = record;
  const id = printable(record.task_id);
  if (error) return `${id} ${colors.yellow('error')} ${error.code}: ${printable(error.message)}, ${time}`;
  if (passed) return `${id} ${colors.green('passed')} ${when}, ${time}`;
  const message = printable(verdict?.message ?? '');
  return `${id} ${colors.red(verdict?.kind ?? 'no-code')} ${when}: ${message}, ${time}`;
}

/** How fast the model writes, the text that is being written included. */
function createPace(clock: Pick<Clock, 'now'>) {
  let [tokens, milliseconds, pieces] = [0, 0, 0];
  let begun: number | null = null;
  return {
    begin() {
      begun = clock.now();
      pieces = 0;
    },
    /** A piece of text is about one token. */
    piece() {
      pieces++;
    },
    end(completionTokens: number) {
      tokens += completionTokens;
      milliseconds += begun === null ? 0 : clock.now() - begun;
      [begun, pieces] = [null, 0];
    },
    tokensPerSecond(): number | null {
      const spent = milliseconds + (begun === null ? 0 : clock.now() - begun);
      return tokens + pieces === 0 || spent === 0 ? null : ((tokens + pieces) / spent) * 1000;
    },
  };
}
