import { printable, printableLines } from '../../core/text.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { MachineGraph } from '../../repair/machine-formats.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The output of `hefix step` about a machine and its data; whole lines. */
export interface StepText {
  /** The machine's states with the current one marked, and its possible transitions. */
  state(state: string, visited: readonly string[]): string;
  /** Foreign text under a heading. */
  block(heading: string, text: string): string;
  verdict(verdict: Verdict): string;
}

export function stepText(graph: MachineGraph, { colors, width }: Terminal): StepText {
  const { bold, cyan, dim, green, inverse, red } = colors;
  const columns = () => Math.min(width() ?? 100, 100);
  const heading = (text: string) =>
    `\n${bold(text)} ${dim('─'.repeat(Math.max(3, columns() - text.length - 1)))}\n`;
  return {
    state(state, visited) {
      const graphState = graph.states.find(({ name }) => name === state);
      const marks = graph.states.map(({ name }) => {
        const plain = name === state ? `[${name}]` : name;
        const shown = name === state ? inverse(plain) : visited.includes(name) ? cyan(plain) : dim(plain);
        return { plain, shown };
      });
      return [
        heading(`${visited.length}. ${state}`),
        `${wrapped(marks, columns()).join('\n')}\n`,
        `${graphState?.description ?? ''}\n`,
        ...nextOf(graphState).map(line => dim(`${line}\n`)),
      ].join('');
    },
    block(title, text) {
      const lines = printableLines(text.replace(/\n$/, '')).split('\n');
      return `${cyan(title)}\n${lines.map(line => `  ${line}\n`).join('')}`;
    },
    verdict({ kind, message, test, expected, actual }) {
      const lines = [
        `${kind === 'passed' ? green(kind) : red(kind)} ${printable(message)}`,
        ...(test ? [dim(`  line ${test.line}: ${printable(test.source)}`)] : []),
        ...(expected === undefined ? [] : [`  expected ${printable(expected)}`]),
        ...(actual === undefined ? [] : [`  actual   ${printable(actual)}`]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

/** Names that fit on one line. */
function wrapped(marks: readonly { plain: string; shown: string }[], columns: number): string[] {
  const lines: { length: number; text: string }[] = [];
  for (const { plain, shown } of marks) {
    const last = lines.at(-1);
    if (last && last.length + 3 + plain.length <= columns) {
      last.text += ` · ${shown}`;
      last.length += 3 + plain.length;
    } else lines.push({ length: plain.length, text: shown });
  }
  return lines.map(({ text }) => text);
}

/** `→ solved if isSolved` */
function nextOf(state: MachineGraph['states'][number] | undefined): string[] {
  return (state?.arrows ?? []).map(({ to, event, guard }) => {
    const on = event === 'error' ? ' on an error' : '';
    return `→ ${to}${guard === '' ? on : ` if ${guard}`}`;
  });
}
