import { constants } from 'node:os';
import type { Verdict } from '../../core/verdict.ts';
import type { Exit } from '../process/started-process.ts';
import type { CandidateEnd } from './toolchain.ts';

/** The verdict on a candidate whose process ended while the tests waited for it. */
export function endOf(
  exit: Exit,
  explained: CandidateEnd | null,
  subject: string,
  test: Pick<Verdict, 'test'>,
): { readonly verdict: Verdict; readonly exitCode: number | null } {
  const signal = signalOf(exit);
  const exitCode = signal === null ? exit.code : 128 + constants.signals[signal];
  const end = explained ?? endBySignal(signal);
  if (end) {
    const { kind, exception } = end;
    if (kind === 'syntax' && exception)
      return { verdict: { kind, message: `${exception.message}.`, exception }, exitCode };
    const what = kind === 'memory' ? 'used more memory than it may' : 'ended the process';
    const why = exception ? `: ${exception.type}${exception.message && `: ${exception.message}`}` : '';
    const line = exception?.line === undefined ? '' : ` (line ${exception.line})`;
    const message =
      kind === 'raised' && exception
        ? `${subject} raised ${why.slice(2)}${line}.`
        : `${subject} ${what}${why}${line}.`;
    return { verdict: { kind, message, ...test, ...(exception ? { exception } : {}) }, exitCode };
  }
  const how = signal === null ? `with status ${exit.code}` : `by ${signal}`;
  const kind = signal === 'SIGXCPU' ? 'timeout' : 'exited';
  return { verdict: { kind, message: `${subject} ended the process ${how}.`, ...test }, exitCode };
}

/** The kernel sends SIGKILL when memory is used up, or a second after SIGXCPU. */
function endBySignal(signal: NodeJS.Signals | null): CandidateEnd | null {
  return signal === 'SIGKILL' ? { kind: 'memory' } : null;
}

/** bubblewrap reports death by signal N as exit code 128 + N. */
export function signalOf({ code, signal }: Exit): NodeJS.Signals | null {
  if (signal !== null || code === null || code <= 128) return signal;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}
