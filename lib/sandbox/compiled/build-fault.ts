import { testsInvalid } from '../errors.ts';
import type { BuildResult } from './builder.ts';
import type { BuildFault } from './toolchain.ts';

/** The first error that a compiler reports, and its position. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export type FailedBuild = Exclude<BuildResult, { readonly outputs: readonly Buffer[] }>;

export function hasFailed(result: BuildResult): result is FailedBuild {
  return !('outputs' in result);
}

/**
 * Why a candidate was not built. `complaint` is the first error in one of the source files. An error outside
 * `candidateFile` is in the code that serves calls, so it means that the signature is wrong.
 */
export function faultOf(result: FailedBuild, complaint: Complaint | null, candidateFile: string): BuildFault {
  const limit = limitFault(result);
  if (limit) return limit;
  if (complaint === null) return { kind: 'syntax', line: 1, message: lastWords(result) };
  const { file, line, message } = complaint;
  return file === candidateFile ? { kind: 'syntax', line, message } : { kind: 'signature', line: 1, message };
}

/**
 * Reports a judge that was not built.
 * @throws TESTS_INVALID
 */
export function throwTestsFault(result: FailedBuild, complaint: Complaint | null): never {
  const why = limitFault(result)?.message ?? complaint?.message ?? lastWords(result);
  const place = complaint === null ? '' : `line ${complaint.line}: `;
  throw testsInvalid(`do not compile: ${place}${why}`);
}

/** A process that uses up its processor time gets SIGXCPU and, a second later, SIGKILL. */
function limitFault(result: FailedBuild): BuildFault | null {
  if ('timedOut' in result || isStopped(result.failed.status))
    return { kind: 'timeout', line: 1, message: 'The compiler did not finish within its processor time.' };
  if (
    /out of memory|cannot allocate memory|memory allocation .*failed|Killed signal/i.test(result.failed.text)
  )
    return { kind: 'syntax', line: 1, message: 'The compiler ran out of memory.' };
  return null;
}

/** SIGXCPU or SIGKILL, as a negative number or as a shell's or driver's exit status. */
function isStopped(status: number): boolean {
  return [-24, -9, 128 + 24, 128 + 9].includes(status);
}

function lastWords(result: FailedBuild): string {
  const text = 'timedOut' in result ? '' : result.failed.text;
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return (lines[0] ?? 'The compiler failed.').slice(0, 300);
}
