import { createInterface } from 'node:readline/promises';
import pc from 'picocolors';
import { printable } from '../../core/text.ts';

/** The terminal, or pipe, that a run's progress is written to. */
export interface Terminal {
  write(text: string): void;
  /** Current width in columns; null if it is not a terminal and lines must not be redrawn. */
  width(): number | null;
  readonly colors: ReturnType<typeof pc.createColors>;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

export function terminalOf(stream: Stream, env: NodeJS.ProcessEnv): Terminal {
  return {
    write: text => stream.write(text),
    // A terminal with an unknown width reports 0.
    width: () => (stream.isTTY ? stream.columns || 80 : null),
    colors: pc.createColors(wantsColors(stream, env)),
  };
}

/** FORCE_COLOR, then NO_COLOR, then the terminal's capabilities: the same order as Node. */
function wantsColors(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && (stream.hasColors?.() ?? false);
}

/** A warning as a line to write. */
export function warningLine({ colors }: Pick<Terminal, 'colors'>, sentence: string): string {
  return `${colors.yellow('warning')} ${printable(sentence)}\n`;
}

/** A unified diff in git's colours. */
export function coloredDiff(diff: string, colors: Terminal['colors']): string {
  return diff
    .split('\n')
    .map(line => {
      const shown = printable(line.replace(/\r$/, ''));
      if (/^(?:diff|---|\+\+\+) /.test(line)) return colors.bold(shown);
      if (line.startsWith('@@')) return colors.cyan(shown);
      if (line.startsWith('+')) return colors.green(shown);
      return line.startsWith('-') ? colors.red(shown) : shown;
    })
    .join('\n');
}

/** Asks a question on stderr; the answer without spaces around it, empty if stdin ends. Rejects if aborted. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>(resolve => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(question, { signal }), closed])).trim();
  } finally {
    lines.close();
  }
}
