import type { JudgeKind } from '../lib/core/ports.ts';
import type { TestReport, TestResult } from '../lib/core/project-tests.ts';
import type { Task } from '../lib/core/task.ts';
import type { IsolationLevel } from '../lib/core/verdict.ts';
import type { Candidate } from './actors.ts';

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
  /** The function on its own, as models see it. */
  readonly task: Task;
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
  readonly origin: Candidate['origin']['kind'];
}

/** A candidate that makes failing tests pass and breaks none. */
export interface Found {
  /** The suspect's place in its round. */
  readonly place: number;
  readonly text: Candidate['text'];
  readonly origin: Repair['origin'];
}

/** A candidate that makes failing tests pass that execute the function: some, or all until it is confirmed. */
export interface Progress extends Found {
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

/** A candidate was run. */
export interface Tried {
  readonly type: 'tried';
  /** The suspect's place in its round. */
  readonly place: number;
  /** Failing tests that it made pass, of those that execute the function. */
  readonly passed: number;
  readonly of: number;
  /** Itself, if it makes more of them pass than those before it, and breaks none. */
  readonly progress: Progress | null;
}

/** The repair of a suspect that is to be confirmed, after those before it. */
export interface ConfirmInput {
  readonly tests: readonly TestResult[];
  readonly changes: readonly ChangedFile[];
  readonly suspect: Suspect;
  readonly found: Found;
}

export interface Confirmation {
  /** Null if the tests do not confirm the repair. */
  readonly report: TestReport | null;
  /** All changed files, with the repair. */
  readonly changes: readonly ChangedFile[];
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
