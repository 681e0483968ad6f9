import type { JudgeKind } from '../lib/core/ports.ts';
import type { TestReport, TestResult } from '../lib/core/project-tests.ts';
import type { IsolationLevel } from '../lib/core/verdict.ts';

/** The actors that the machine for projects leaves open, with their inputs and outputs: plain data. */

export interface CopiedProject {
  /** Absolute path of the original. */
  readonly root: string;
  /** Display name of the test framework. */
  readonly runner: string;
  readonly isolation: IsolationLevel;
  /** Whole sentences to show. */
  readonly notes: readonly string[];
}

/** The results of the tests before any repair, sorted. */
export interface Baseline {
  /** Tests that count: neither flaky nor in need of a network that they do not have. */
  readonly tests: readonly TestResult[];
  readonly flaky: readonly string[];
  readonly notes: readonly string[];
  /** Whether tests were left out because they need the network. */
  readonly isOffline: boolean;
}

/** A function that may be faulty. */
export interface Suspect {
  readonly file: string;
  /** Qualified name. */
  readonly function: string;
  /** 1-based line of its header. */
  readonly line: number;
  /** From 0 to 1, plus the bonus for a traceback. */
  readonly suspicion: number;
  /** The suspicion of each line that a test executed; 1-based lines of the file. */
  readonly lines: readonly (readonly [line: number, suspicion: number])[];
}

/** A file that differs from the project's. */
export interface ChangedFile {
  readonly path: string;
  /** Its bytes in base64. */
  readonly content: string;
}

export interface Repair {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  /**
   * How the candidate was found: one of the model's likeliest answers, an enumerated edit, a pair of edits,
   * or a sample.
   */
  readonly origin: 'beam' | 'edit' | 'pair' | 'sample';
}

/** A candidate that makes failing tests pass and breaks none. */
export interface Found {
  readonly change: ChangedFile;
  readonly repair: Repair;
  /** Failing tests that it makes pass. */
  readonly passed: number;
}

/** Which candidates of a suspect are tried: the most promising, all single edits, or pairs of edits. */
export type Effort = 'promising' | 'all' | 'pairs';

/** The closest that a candidate came. */
export interface Best {
  readonly function: string;
  /** Failing tests that it made pass, of those that execute the function. */
  readonly passed: number;
  readonly of: number;
}

export interface SearchInput {
  readonly tests: readonly TestResult[];
  readonly changes: readonly ChangedFile[];
  /** The suspects of this round; the one at `place` is searched, and the model may prepare for the next. */
  readonly suspects: readonly Suspect[];
  readonly place: number;
  readonly effort: Effort;
  /** Number of repairs so far. */
  readonly round: number;
  readonly tried: number;
  readonly best: Best | null;
}

/** What a search for the repair of one function found. */
export interface SearchResult {
  /** Makes all failing tests pass that execute the function. */
  readonly found: Found | null;
  /** Makes some of them pass; the best so far. */
  readonly progress: Found | null;
  /** Whether the model wrote the function, and has not seen yet what is wrong with it. */
  readonly isWritten: boolean;
  /** Candidates that were run so far, in total. */
  readonly tried: number;
  readonly best: Best | null;
  readonly isTimeUp: boolean;
}

export interface RewriteInput extends SearchInput {
  /** Repair iterations after the model's first answer. */
  readonly iterations: number;
}

export interface ConfirmInput {
  readonly tests: readonly TestResult[];
  readonly changes: readonly ChangedFile[];
}

/** Null if the tests do not confirm the repair. */
export interface Confirmation {
  readonly report: TestReport | null;
}

export interface LocateInput {
  readonly tests: readonly TestResult[];
  readonly changes: readonly ChangedFile[];
}

export interface JudgeInput {
  readonly changes: readonly ChangedFile[];
  readonly repairs: readonly Repair[];
}

export interface JudgedProject {
  readonly judge: JudgeKind;
}
