import { taskLine } from './line-progress.ts';
import { type Progress, resultText } from './progress.ts';
import { printable, type Terminal } from './terminal.ts';

/** Everything as it happens: each node with its temperature, the model's text, the verdict and the diff. */
export function verboseProgress(terminal: Terminal): Progress {
  const { bold, cyan, dim, green, red } = terminal.colors;
  const line = (text: string) => terminal.write(`${text}\n`);
  let state = '';
  let [done, total] = [0, 0];
  return {
    warned: sentence => line(`${terminal.colors.yellow('warning')} ${sentence}`),
    planned(tasks, held) {
      const recorded = new Set(held.map(record => record.task_id));
      total = tasks.length;
      done = tasks.filter(task => recorded.has(task.id)).length;
    },
    taskStarted(task) {
      line(bold(`\n[${done + 1}/${total}] ${printable(`${task.id}, ${task.entryPoint}`)}`));
    },
    state(next) {
      state = next;
    },
    generationStarted: temperature => line(cyan(`${state}, temperature ${temperature}`)),
    text: piece => terminal.write(printable(piece)),
    generationEnded: tokens => line(dim(`\n${tokens} tokens`)),
    attempted({ verdict, repeated, seconds }) {
      const color = verdict.kind === 'passed' ? green : red;
      const again = repeated ? ' (the same code as before)' : '';
      const time = dim(`${seconds.execution.toFixed(2)} s`);
      line(`${color(verdict.kind)}${again} ${printable(verdict.message)} ${time}`);
      if (verdict.test) line(dim(`  line ${verdict.test.line}: ${printable(verdict.test.source)}`));
    },
    taskEnded(record) {
      done++;
      if (record.diff !== '') terminal.write(coloredDiff(record.diff, terminal));
      line(taskLine(record, terminal));
    },
    finished: result => terminal.write(resultText(result)),
    stop() {},
  };
}

/** Without its two lines of file names, which say nothing here. */
function coloredDiff(diff: string, { colors }: Terminal): string {
  const lines = printable(diff).split('\n').slice(2);
  const paint = (text: string) => {
    if (text.startsWith('+')) return colors.green(text);
    return text.startsWith('-') ? colors.red(text) : text;
  };
  return lines.map(paint).join('\n');
}
