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
  /** Tests that count: neither flaky, nor in need of something that the sandbox does not have, nor of other functions. */
  readonly tests: readonly TestResult[];
  readonly flaky: readonly string[];
  readonly notes: readonly string[];
  /** Ids of the tests that were left out because they need something that the sandbox does not have. */
  readonly elsewhere: readonly string[];
  /** Ids of failing tests that do not execute the function that was named, unless none does; or that fail for another reason. */
  readonly others: readonly string[];
}

/** A function, or a constant that functions read. */
export type Repairable = 'function' | 'constant';

/** A function or constant that may be faulty. */
export interface Suspect {
  readonly kind: Repairable;
  readonly file: string;
  /** Qualified name. */
  readonly function: string;
  /** 1-based line of its header, or of its name. */
  readonly line: number;
  /** From 0 to 1, plus the bonus for a traceback. */
  readonly suspicion: number;
  /** The suspicion of each line that a test executed; 1-based lines of the file. */
  readonly lines: readonly (readonly [line: number, suspicion: number])[];
  /** The function on its own, as models see it. */
  readonly task: Task;
}

/** How a suspect or a repair is named. */
export function titleOf({ kind, function: name }: Pick<Suspect, 'kind' | 'function'>): string {
  return kind === 'constant' ? `the constant ${name}` : name;
}

export interface Located {
  /** The most suspicious first. */
  readonly suspects: readonly Suspect[];
}

/** A file that differs from the project's. */
export interface ChangedFile {
  readonly path: string;
  /** Its bytes in base64. */
  readonly content: string;
}

export interface Repair {
  readonly kind: Repairable;
  readonly file: string;
  readonly function: string;
  readonly line: number;
  /**
   * How the candidate was found: one of the model's likeliest answers, an enumerated edit, a pair of edits,
   * or a sample.
   */
  readonly origin: Candidate['origin']['kind'];
  /** Set if some of the tests that execute the function still failed with it. */
  readonly isPartial?: true;
}

/** A candidate that makes failing tests pass and breaks none. */
export interface Found {
  /** The suspect's place in its round. */
  readonly place: number;
  readonly code: string;
  readonly origin: Repair['origin'];
  readonly isPartial?: true;
}

/** A candidate that makes failing tests pass that execute the function: some, or all until it is confirmed. */
export interface Progress extends Found {
  readonly passed: number;
}

/**
 * Which candidates of a suspect are tried: the likeliest edits without a model, then its answers and the most promising
 * edits, all single edits, or pairs of edits.
 */
export type Effort = 'edits' | 'promising' | 'all' | 'pairs';

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
  /** The suspect's place in its round; -1 for an answer that changes files. */
  readonly place: number;
  /** Failing tests that it made pass, of those that execute the function. */
  readonly passed: number;
  readonly of: number;
  /** Itself, if it makes more of them pass than those before it, and breaks none. */
  readonly progress: Progress | null;
}

/** The model's answer is no repair. */
export interface Answered {
  readonly type: 'answered';
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
  /** The function that the repair changes. */
  readonly repaired: Omit<Repair, 'origin'>;
  /** Ids of tests that execute the function that was named, but fail for another reason. */
  readonly others: readonly string[];
}

/** A version of the suspect's function that may repair it as well. */
export interface Other {
  readonly code: string;
  readonly origin: Repair['origin'];
  /** Whether the tests pass with it; else it was not tried. */
  readonly passes: boolean;
}

/** Looks for other repairs that pass all tests, and asks which is meant. */
export interface QuestionInput {
  /** Before the repair. */
  readonly tests: readonly TestResult[];
  readonly suspect: Suspect;
  readonly found: Found;
  /** The likeliest first. */
  readonly others: readonly Other[];
  /** All changed files, with the repair, and all tests with them. */
  readonly changes: readonly ChangedFile[];
  readonly after: TestReport;
}

/** A call on which repairs differ that pass all tests. */
export interface RepairQuestion {
  readonly file: string;
  readonly function: string;
  /** As the language writes it: `median([])`. */
  readonly call: string;
  /** Number of repairs that were compared, and of different behaviours among them. */
  readonly repairs: number;
  readonly behaviours: number;
  /** The first is that of the repair. */
  readonly answers: readonly {
    /** `returns 0`, `raises IndexError`. */
    readonly does: string;
    readonly repairs: number;
    /** Unified, of the likeliest repair that gives this answer. */
    readonly diff: string;
    /** A test of the answer, as the project writes its tests; null if hefix does not know how. */
    readonly test: { readonly file: string; readonly code: string } | null;
  }[];
  /** Index of the answer whose test was added, and whose repair was taken; null if none was. */
  readonly chosen: number | null;
}

/** Single edits of the changed expression of a repair that were tried, and those that the tests reject. */
export interface Mutants {
  readonly tried: number;
  readonly rejected: number;
}

export interface AskedQuestion {
  /** Null if no repairs were found that differ. */
  readonly question: RepairQuestion | null;
  /** Unified diffs of other repairs that pass all tests, the likeliest first; none if they are known to do the same. */
  readonly alternatives: readonly string[];
  /** All changed files, with the repair of the chosen answer. */
  readonly changes: readonly ChangedFile[];
  /** The file of tests with the test of that answer; null if none was added, or it is an example in a docstring. */
  readonly added: ChangedFile | null;
  readonly report: TestReport;
  /** Null if this was not tried. */
  readonly mutants: Mutants | null;
  /** Why no test was added, or why there is no question, in sentences; null for nothing to mention. */
  readonly note: string | null;
  /** Whether an enumerated edit was taken, which is smaller than what a model wrote and does the same. */
  readonly isEdit: boolean;
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
