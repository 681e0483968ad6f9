import type { Attempt } from '../../core/attempt.ts';
import type { Message } from '../../core/ports.ts';
import { jobName } from '../../core/record.ts';
import { printable, printableLines } from '../../core/text.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { Clock } from '../../run/run.ts';
import type { Asked } from '../../run/run-events.ts';
import {
  countsLines,
  lineProgress,
  onOneLine,
  type Progress,
  resultText,
  selectionLines,
  silentProgress,
  taskLine,
} from './line-progress.ts';
import { createPreparationDisplay, createProgressBar } from './progress-bar.ts';
import { coloredDiff, type Terminal, warningLine } from './terminal.ts';

/** The progress display for `--quiet`, `--verbose` or neither. */
export function createProgress(
  { quiet, verbose, workers }: Pick<RunOptions, 'quiet' | 'verbose' | 'workers'>,
  terminal: Terminal,
  clock: Clock,
): Progress {
  if (quiet) return silentProgress();
  return verbose ? verboseProgress(terminal, workers) : lineProgress(terminal, clock);
}

/**
 * Everything as it happens: each node with its temperature, what it sends, the model's text, the verdict and the
 * diff. Messages and tools that an earlier request of the task has sent are not shown again. With
 * several workers, each job is printed when it ends, so that their output does not interleave.
 */
export function verboseProgress(terminal: Terminal, workers: number): Progress {
  const { bold, cyan, dim, green, red, yellow } = terminal.colors;
  const bar = createProgressBar(terminal);
  let [done, total] = [0, 0];
  return {
    warned: sentence => terminal.write(warningLine(terminal, sentence)),
    rotated: sentence => terminal.write(dim(`${sentence}\n`)),
    preparing: createPreparationDisplay(terminal, bar),
    planned(jobs, recorded) {
      total = jobs.length;
      done = recorded.length;
    },
    started({ task, sample }) {
      const pieces: string[] = [];
      const write = (text: string) => (workers > 1 ? pieces.push(text) : terminal.write(text));
      const line = (text: string) => write(`${text}\n`);
      const title = printable(`${jobName(task.id, sample)}, ${task.entryPoint}`);
      if (workers === 1) line(bold(`\n[${done + 1}/${total}] ${title}`));
      const sentLines = createSentLines();
      let state = '';
      let isShown = false;
      return {
        state(next) {
          state = next;
        },
        asked(request) {
          for (const text of sentLines(request)) line(dim(text));
        },
        generationStarted: temperature => line(cyan(`${state}, temperature ${temperature}`)),
        text(piece) {
          isShown = true;
          write(printableLines(piece));
        },
        generationEnded: tokens => line(dim(`\n${tokens} tokens`)),
        attempted(attempt) {
          const { verdict, repeated, seconds, selection, counts } = attempt;
          // Beams, enumerated edits and cached answers arrive at once.
          if (!isShown) write(wholeAnswer(attempt, terminal));
          isShown = false;
          for (const text of selection ? selectionLines(selection) : []) line(dim(text));
          if (verdict === null) return line(dim('not judged before the end'));
          const color = verdict.kind === 'passed' ? green : red;
          const again = repeated ? ' (the same code as before)' : '';
          const time = dim(`${seconds.execution.toFixed(2)} s`);
          line(`${color(verdict.kind)}${again} ${onOneLine(verdict.message)} ${time}`);
          if (verdict.test) line(dim(`  line ${verdict.test.line}: ${printable(verdict.test.source)}`));
          for (const text of counts ? countsLines(counts) : []) line(dim(`  ${text}`));
        },
        again: ({ code, message }) => line(`${yellow('again')} after ${code}: ${onOneLine(message)}`),
        ended(record) {
          done++;
          if (workers > 1) terminal.write(`${bold(`\n[${done}/${total}] ${title}`)}\n${pieces.join('')}`);
          if (record.diff !== '') terminal.write(coloredDiff(withoutNames(record.diff), terminal.colors));
          terminal.write(`${taskLine(record, { done, total }, terminal)}\n`);
        },
      };
    },
    writeAbove: terminal.write,
    finished: result => terminal.write(resultText(result)),
    stop: bar.clear,
  };
}

/** An answer that was not streamed, with how it was selected. */
function wholeAnswer(attempt: Attempt, { colors }: Terminal): string {
  const { node, temperature, completion, tokens, selection } = attempt;
  const { kind, rank, of } = selection?.origin ?? {};
  const how = [
    ...(temperature === null ? [] : [`temperature ${temperature}`]),
    ...(kind === undefined ? [] : [`${kind} ${rank} of ${of}`]),
  ];
  const counted = tokens.completion > 0 ? colors.dim(`${tokens.completion} tokens\n`) : '';
  return `${colors.cyan([node, ...how].join(', '))}\n${printableLines(completion).trimEnd()}\n${counted}`;
}

/** Without the two lines of file names, which carry no information here. */
function withoutNames(diff: string): string {
  return diff.split('\n').slice(2).join('\n');
}

/** Returns the lines of what each request sends, without what an earlier request of the same task has sent. */
function createSentLines(): (request: Asked) => string[] {
  const sent = new Set<string>();
  const unlessSent = (title: string, text: string) => {
    const key = `${title}\n${text}`;
    // Candidates are ranked with the beginning of a prompt.
    if ([...sent].some(earlier => earlier.startsWith(key))) return [];
    sent.add(key);
    return [`[${title}]`, printableLines(text).trimEnd()];
  };
  return ({ messages, tools = [], prefill = '' }) => [
    ...tools.flatMap(({ name, description, parameters }) =>
      unlessSent(`tool ${name}`, `${description}\n${JSON.stringify(parameters)}`),
    ),
    ...messages.flatMap(message => unlessSent(message.role, textOf(message))),
    ...(prefill === '' ? [] : unlessSent('beginning of the answer', prefill)),
  ];
}

function textOf({ content, toolCalls = [] }: Message): string {
  const calls = toolCalls.map(call => `${call.name} ${call.arguments}`);
  return [...(content === '' ? [] : [content]), ...calls].join('\n');
}
