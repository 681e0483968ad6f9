import type { DebugLog, DebugSource } from '../run/debug-parts.ts';
import { onOneLine } from './task-line.ts';
import type { Terminal } from './terminal.ts';

/** `now`: milliseconds of a monotonic clock. */
export function createDebugLog(
  writeAbove: (text: string) => void,
  { colors }: Pick<Terminal, 'colors'>,
  now: () => number,
): DebugLog {
  const started = now();
  const tell = (source: DebugSource, what: string) => {
    const time = seconds(now() - started).padStart(11);
    writeAbove(colors.dim(`${time}  ${source.padEnd(7)}  ${onOneLine(what)}\n`));
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
