import type { ExecuteRequest, SyntaxFault } from '../../core/ports.ts';
import type { VerdictKind } from '../../core/verdict.ts';
import type { Exit } from '../process/started-process.ts';

/** What a judge is built from. */
export interface JudgedTask extends Pick<ExecuteRequest, 'entryPoint' | 'tests'> {
  /**
   * The task's imports and helpers and the header of the entry point, as in the dataset; for people's own candidates
   * what `headerOf` gives.
   */
  readonly declaration: string;
}

/** An executable file of the host, and how to start it in a jail. */
export interface Program {
  /** The first word is an absolute path. */
  readonly argv: readonly string[];
  /** Files and folders that it reads, besides shared libraries. */
  readonly readable: readonly string[];
  /** Removes its files. */
  remove(): Promise<void>;
}

/** Why there is no program. Lines are those of the candidate; 1-based. */
export interface BuildFault extends SyntaxFault {
  readonly kind: Extract<VerdictKind, 'syntax' | 'signature' | 'timeout' | 'memory'>;
}

/** What the language's run time says of a process that ended. */
export interface CandidateEnd {
  readonly kind: Extract<VerdictKind, 'raised' | 'memory' | 'exited' | 'syntax'>;
  readonly exception?: { readonly type: string; readonly message: string; readonly line?: number };
}

/**
 * A language whose candidates are compiled. Judge and candidate are two programs: the judge is built from the tests
 * and a stub of the entry point, which sends its arguments to the candidate and returns its reply; the candidate is
 * built with a loop that serves those calls. Both are built inside jails.
 */
export interface Toolchain {
  /** `Go 1.26.8`. */
  readonly version: string;
  /**
   * Builds the judge, which is kept for all candidates of the task.
   * Rejects with TESTS_INVALID if tests and declaration do not compile, or with SANDBOX_FAILED.
   */
  buildJudge(task: JudgedTask, signal: AbortSignal): Promise<Program>;
  buildCandidate(task: JudgedTask, candidate: string, signal: AbortSignal): Promise<Program | BuildFault>;
  /** Whether the candidate compiles by itself; the declaration is empty if it is not known. */
  checkSyntax(candidate: string, declaration: string, signal: AbortSignal): Promise<BuildFault | null>;
  /**
   * A declaration of the entry point alone, for tasks without one: with the candidate's types and nothing else
   * of its text, for it gets into the judge. A fault if the candidate has no such function, or its types are its own.
   */
  headerOf(candidate: string, entryPoint: string): Promise<string | BuildFault>;
  /** The candidate's line at the first of the addresses that has one, for judges that report addresses. */
  lineOf?(candidate: Program, addresses: string, signal: AbortSignal): Promise<number | undefined>;
  /** Reads what the candidate wrote to stderr before it ended by itself; null if that says nothing. */
  explainEnd(stderr: string, exit: Exit): CandidateEnd | null;
  close(): Promise<void>;
}
