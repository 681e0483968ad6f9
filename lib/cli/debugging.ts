import type { DebugLog, DebugSource } from '../run/debug-parts.ts';
import type { OpenSandbox } from '../run/open-parts.ts';
import type { RunParts } from '../run/run.ts';
import type { Io } from './command.ts';
import { onOneLine } from './terminal/line-progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The parts of a run; with `--debug` they report what they do. `writeAbove` writes lines above a progress bar. */
export async function partsOf(io: Io, writeAbove?: (text: string) => void): Promise<RunParts> {
  const { runParts } = await import('../run/library/run-parts.ts');
  if (!io.debug) return runParts();
  const { debugParts } = await import('../run/debug-parts.ts');
  return debugParts(runParts(), debugLog(io, writeAbove));
}

/** Opens sandboxes; with `--debug` they report what they do. `writeAbove` writes lines above a progress bar. */
export async function sandboxOpener(io: Io, writeAbove?: (text: string) => void): Promise<OpenSandbox> {
  const { openSandbox } = await import('../run/open-parts.ts');
  if (!io.debug) return openSandbox;
  const { debugOpenSandbox } = await import('../run/debug-parts.ts');
  return debugOpenSandbox(openSandbox, debugLog(io, writeAbove));
}

function debugLog({ terminal }: Io, writeAbove = terminal.write): DebugLog {
  return createDebugLog(writeAbove, terminal, () => performance.now());
}

/** `now`: milliseconds of a monotonic clock. */
export function createDebugLog(
  writeAbove: (text: string) => void,
  { colors }: Pick<Terminal, 'colors'>,
  now: () => number,
): DebugLog {
  const started = now();
  const tell = (source: DebugSource, message: string) => {
    const time = seconds(now() - started).padStart(11);
    writeAbove(colors.dim(`${time}  ${source.padEnd(7)}  ${onOneLine(message)}\n`));
  };
  return {
    tell,
    begin(source, message) {
      const begun = now();
      const took = () => seconds(now() - begun);
      tell(source, message);
      return {
        async with(work) {
          return await work.catch(error => {
            tell(source, `error after ${took()}: ${error instanceof Error ? error.message : String(error)}`);
            throw error;
          });
        },
        end: result => tell(source, `done in ${took()}: ${result}`),
      };
    },
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}
