import { createInterface } from 'node:readline';
import { unlessAborted } from '../../core/async.ts';
import { parseStepOptions, stepOptions } from '../../options/tables/step-options.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { withInspection } from '../local-pages.ts';
import { type Terminal, terminalOf } from '../terminal/terminal.ts';
import type { StepKey } from './step.ts';

export const command: Command = {
  description: "Walks one task through the agent's machine, one key per step.",
  options: stepOptions,
  examples: ['hefix step --task mini/3', 'hefix step --task mini/3 --agent react --iters 2'],
  async run(input, io) {
    const options = parseStepOptions(input);
    const { step } = await import('./step.ts');
    const { createProgressBar, createPreparationDisplay } = await import('../terminal/progress-bar.ts');
    const terminal = terminalOf(process.stdout, process.env);
    const onPreparing = createPreparationDisplay(io.terminal, createProgressBar(io.terminal));
    const warn = (sentence: string) => io.terminal.write(`${sentence}\n`);
    const keys = openKeys(process.stdin, terminal, io.signal);
    try {
      const parts = await partsOf(io);
      const outcome = await withInspection(options, io, inspect =>
        step(options, parts, {
          terminal,
          ask: keys.ask,
          signal: io.signal,
          inspect,
          onPreparing,
          warn,
        }),
      );
      if (outcome === null) terminal.write('Left before the end.\n');
      return 0;
    } finally {
      keys.close();
    }
  },
};

interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
}

interface Keys {
  ask(action: string): Promise<StepKey>;
  /** Restores the input's mode. */
  close(): void;
}

/**
 * Asks for keys: on a terminal a single key per question, otherwise a line, where an empty line means next
 * and the end of input means quit. Rejects with the signal's reason if aborted.
 */
function openKeys(input: Input, terminal: Terminal, signal: AbortSignal): Keys {
  return input.isTTY ? pressedKeys(input, terminal, signal) : writtenKeys(input, terminal, signal);
}

const HELP = 'Enter: next, a: to the end, q: leave';

function pressedKeys(input: Input, terminal: Terminal, signal: AbortSignal): Keys {
  const close = () => {
    input.setRawMode?.(false);
    input.pause();
  };
  return {
    close,
    async ask(action) {
      terminal.write(`${terminal.colors.bold(`▶ ${action}?`)} ${terminal.colors.dim(HELP)} `);
      input.setRawMode?.(true);
      input.resume();
      try {
        for (;;) {
          const key = keyOf(await nextOf<Buffer>(input, 'data', signal));
          if (key !== null) return key;
        }
      } finally {
        close();
        terminal.write('\n');
      }
    },
  };
}

function writtenKeys(input: Input, terminal: Terminal, signal: AbortSignal): Keys {
  const lines = createInterface({ input });
  const read = lines[Symbol.asyncIterator]();
  return {
    close: () => lines.close(),
    async ask(action) {
      terminal.write(`▶ ${action}? ${HELP}\n`);
      for (;;) {
        const { done, value } = await unlessAborted(read.next(), signal);
        const key = done ? 'quit' : keyOf(`${value.trim()}\n`);
        if (key !== null) return key;
      }
    },
  };
}

/** Null for a key without a meaning here. */
function keyOf(pressed: Buffer | string): StepKey | null {
  const key = String(pressed);
  // In raw mode Ctrl-C is an ordinary key.
  if (key === '\u0003') {
    process.kill(process.pid, 'SIGINT');
    return null;
  }
  if (['\r', '\n', '\r\n', ' ', 'n\n', 'n'].includes(key)) return 'next';
  const letter = key.trim().toLowerCase();
  if (letter === 'a') return 'all';
  return letter === 'q' || key === '\u0004' ? 'quit' : null;
}

function nextOf<Value>(input: Input, event: string, signal: AbortSignal): Promise<Value> {
  let listener: (value: Value) => void = () => {};
  const arrived = new Promise<Value>(resolve => {
    listener = resolve;
    input.once(event, listener);
  });
  return unlessAborted(arrived, signal).finally(() => input.removeListener(event, listener));
}
