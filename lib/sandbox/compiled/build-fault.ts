import { testsInvalid } from '../../core/errors.ts';
import type { BuildResult } from './builder.ts';
import type { BuildFault } from './toolchain.ts';

/** A compiler's complaint in a file: its first sentence. */
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
 * Why a candidate was not built. `complaint` is the first one about a file of ours or of the candidate's; what the
 * compiler finds wrong outside of `candidateFile` is about the code that serves calls, so about the signature.
 */
export function faultOf(result: FailedBuild, complaint: Complaint | null, candidateFile: string): BuildFault {
  const limit = limitFault(result);
  if (limit) return limit;
  if (complaint === null) return { kind: 'syntax', line: 1, message: lastWords(result) };
  const { file, line, message } = complaint;
  return file === candidateFile ? { kind: 'syntax', line, message } : { kind: 'signature', line: 1, message };
}

/** Throws TESTS_INVALID: a judge that was not built. */
export function throwTestsFault(result: FailedBuild, complaint: Complaint | null): never {
  const why = limitFault(result)?.message ?? complaint?.message ?? lastWords(result);
  const place = complaint === null ? '' : `line ${complaint.line}: `;
  throw testsInvalid(`do not compile: ${place}${why}`);
}

/** SIGXCPU and, a second later, SIGKILL end what used up its processor time. */
function limitFault(result: FailedBuild): BuildFault | null {
  if ('timedOut' in result || isStopped(result.failed.status))
    return { kind: 'timeout', line: 1, message: 'The compiler did not finish within its processor time.' };
  if (
    /out of memory|cannot allocate memory|memory allocation .*failed|Killed signal/i.test(result.failed.text)
  )
    return { kind: 'syntax', line: 1, message: 'The compiler ran out of memory.' };
  return null;
}

/** The numbers of SIGXCPU and SIGKILL, also as a shell or driver tells them. */
function isStopped(status: number): boolean {
  return [-24, -9, 128 + 24, 128 + 9].includes(status);
}

function lastWords(result: FailedBuild): string {
  const text = 'timedOut' in result ? '' : result.failed.text;
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return (lines[0] ?? 'The compiler failed.').slice(0, 300);
}
