import { onOneLine } from './task-line.ts';
import type { Terminal } from './terminal.ts';

/** The component that logs. */
export type DebugSource = 'dataset' | 'agent' | 'model' | 'sandbox';

/** The output of `--debug`: a line for each start and end of an operation, with the time since the start. */
export interface DebugLog {
  tell(source: DebugSource, what: string): void;
  begin(source: DebugSource, what: string): DebugStep;
}

/** An operation that is timed from its start. */
export interface DebugStep {
  /** Logs the error if the operation fails, and rejects with it. */
  with<Result>(work: Promise<Result>): Promise<Result>;
  end(result: string): void;
}

/** `now`: milliseconds of a monotonic clock. */
export function createDebugLog(
  above: (text: string) => void,
  { colors }: Pick<Terminal, 'colors'>,
  now: () => number,
): DebugLog {
  const started = now();
  const tell = (source: DebugSource, what: string) => {
    const time = seconds(now() - started).padStart(11);
    above(colors.dim(`${time}  ${source.padEnd(7)}  ${onOneLine(what)}\n`));
  };
  return {
    tell,
    begin(source, what) {
      const begun = now();
      const took = () => seconds(now() - begun);
      tell(source, what);
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
