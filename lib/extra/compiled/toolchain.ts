import type { ExecuteRequest, SyntaxFault } from '../../core/ports.ts';
import type { VerdictKind } from '../../core/verdict.ts';
import { testsInvalid } from '../../sandbox/errors.ts';
import type { Command, Judges } from '../../sandbox/process/pairs.ts';
import type { Exit } from '../../sandbox/process/started-process.ts';
import type { FailedBuild } from './builder.ts';

/** The input from which a judge is built. */
export interface JudgedTask extends Pick<ExecuteRequest, 'entryPoint' | 'tests'> {
  /**
   * The task's imports, helpers and the entry point's header, as in the dataset; for code outside a dataset,
   * what `headerOf` returns.
   */
  readonly declaration: string;
}

/** An executable file on the host, and how to start it in a jail. */
export interface Program extends Command {
  /** The first word is an absolute path; for `startJudges`, all words are its arguments. */
  readonly argv: readonly string[];
  readonly readable: readonly string[];
  /** Removes its files. */
  remove(): Promise<void>;
}

/** What candidates and judges read and execute. */
export interface RuntimeFiles {
  /** The folders to which the built programs are added, apart from each other. */
  readonly candidates: string;
  readonly judges: string;
  /** Shared libraries, the language's runtime. */
  readonly readable: readonly string[];
  /** The dynamic loader, and programs outside the folders. */
  readonly executable: readonly string[];
  /** Variables that they need, in addition to those of the jail. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Why a program was not built. Lines are the candidate's, 1-based. */
export interface BuildFault extends SyntaxFault {
  readonly kind: Extract<VerdictKind, 'syntax' | 'signature' | 'timeout' | 'memory'>;
}

/** What the language's runtime reports about a process that ended. */
export interface CandidateEnd {
  readonly kind: Extract<VerdictKind, 'raised' | 'memory' | 'exited' | 'syntax'>;
  readonly exception?: { readonly type: string; readonly message: string; readonly line?: number };
}

/**
 * A compiled language. Judge and candidate are two programs. The judge is built from the tests and a stub of
 * the entry point, which sends its arguments to the candidate and returns the reply; the candidate is built
 * with a loop that serves those calls. Both are built inside jails.
 */
export interface Toolchain {
  /** `Go 1.26.8`. */
  readonly version: string;
  readonly files: RuntimeFiles;
  /** Starts a process that runs one judge after the other, for languages whose programs take long to start. */
  startJudges?(): Judges;
  /**
   * Builds the judge, which is used for all candidates of the task. Rejects with TESTS_INVALID if tests or
   * declaration do not compile, or with SANDBOX_FAILED.
   */
  buildJudge(task: JudgedTask, signal: AbortSignal): Promise<Program>;
  /** The judge as it counts assertions instead of judging. */
  counting(judge: Program): Program;
  buildCandidate(task: JudgedTask, candidate: string, signal: AbortSignal): Promise<Program | BuildFault>;
  /** Checks that the candidate compiles by itself; the declaration is empty if it is unknown. */
  checkSyntax(candidate: string, declaration: string, signal: AbortSignal): Promise<BuildFault | null>;
  /**
   * A declaration of the entry point as a program defines it, for tasks without one. It becomes part of the judge, so it
   * contains the program's types and nothing else of its text. A fault if the program has no such function or defines
   * the types itself.
   */
  headerOf(program: string, entryPoint: string): Promise<string | BuildFault>;
  /** The candidate's line at the first address that has one, for judges that report addresses. */
  lineOf?(candidate: Program, addresses: string, signal: AbortSignal): Promise<number | undefined>;
  /** Reads the candidate's stderr after it exited by itself; null if that does not explain the exit. */
  explainEnd(stderr: string, exit: Exit): CandidateEnd | null;
  close(): Promise<void>;
}

/** The first error that a compiler reports, and its position. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly message: string;
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
 * Reports a judge that was not built. `undefinedName` matches the compiler's words for a name of the tests that nothing
 * defines, which is their own fault, whatever the types of the entry point are.
 * @throws TESTS_INVALID
 */
export function throwTestsFault(
  result: FailedBuild,
  complaint: Complaint | null,
  undefinedName: RegExp,
): never {
  const limit = limitFault(result);
  const why = limit?.message.replace(/\.$/, '') ?? complaint?.message ?? lastWords(result);
  const place = complaint === null ? '' : `line ${complaint.line}: `;
  const isTypes = limit === null && !undefinedName.test(result.text);
  throw testsInvalid(
    `do not compile: ${place}${why}`,
    isTypes ? new TypesDiffer(`${place}${why}`) : undefined,
  );
}

class TypesDiffer extends Error {}

/** What the compiler says about tests, if `error` is that they may need other types of the entry point. */
export function typesFault(error: unknown): string | null {
  const { cause } = Object(error) as { readonly cause?: unknown };
  return cause instanceof TypesDiffer ? cause.message : null;
}

/** A process that uses up its processor time gets SIGXCPU and, a second later, SIGKILL. */
function limitFault({ status, text }: FailedBuild): BuildFault | null {
  if (isStopped(status))
    return { kind: 'timeout', line: 1, message: 'The compiler did not finish within its processor time.' };
  if (/out of memory|cannot allocate memory|memory allocation .*failed|Killed signal/i.test(text))
    return { kind: 'syntax', line: 1, message: 'The compiler ran out of memory.' };
  return null;
}

/** SIGXCPU or SIGKILL, as a negative number or as a shell's or driver's exit status. */
function isStopped(status: number): boolean {
  return [-24, -9, 128 + 24, 128 + 9].includes(status);
}

function lastWords({ text }: FailedBuild): string {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return (lines[0] ?? 'The compiler failed.').slice(0, 300);
}
