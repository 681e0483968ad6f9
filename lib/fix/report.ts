import type { Baseline, Repair, Suspect } from '../../machines/project-actors.ts';
import type { ProjectContext } from '../../machines/project-setup.ts';
import { patchTouchesTest } from '../core/errors.ts';
import type { JudgeKind } from '../core/ports.ts';
import { countsOf, failedTests, type TestCounts } from '../core/project-tests.ts';
import type { IsolationLevel } from '../core/verdict.ts';
import type { SourceFile } from './patch/source-file.ts';
import { changesOf, type FileChange } from './patch/unified-diff.ts';

/** The result of repairing a project. */
export interface FixReport {
  /** `partly`: fewer tests fail than before, but some still do. */
  readonly outcome: 'repaired' | 'partly' | 'nothing-to-repair' | 'not-repaired';
  /** Absolute path of the project's folder. */
  readonly project: string;
  readonly runner: string;
  readonly isolation: IsolationLevel;
  /** How the verdict on the repaired code was reached; null if nothing was repaired. */
  readonly judge: JudgeKind | null;
  readonly before: TestCounts;
  readonly after: TestCounts;
  /** Tests that both failed and passed with the same code; these are not repaired. */
  readonly flaky: readonly string[];
  readonly failing: readonly FailingTest[];
  readonly suspects: readonly SuspectSummary[];
  readonly repairs: readonly Repair[];
  /** Number of candidates that were run. */
  readonly tried: number;
  /** The candidate that came closest, if nothing was repaired. */
  readonly best: { readonly function: string; readonly passed: number; readonly of: number } | null;
  readonly timeUp: boolean;
  readonly seconds: number;
  /** Notes to show, as whole sentences. */
  readonly notes: readonly string[];
  readonly changes: readonly FileChange[];
}

interface FailingTest {
  readonly id: string;
  readonly message: string;
}

export interface SuspectSummary {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly suspicion: number;
}

/** Progress of a repair. */
export type FixEvent =
  /** A state of the machine was entered, with the function that it is about. */
  | { readonly kind: 'state'; readonly state: string; readonly about: string }
  | { readonly kind: 'preparing'; readonly what: string }
  | { readonly kind: 'tests'; readonly before: TestCounts; readonly failing: readonly FailingTest[] }
  | { readonly kind: 'suspects'; readonly suspects: readonly SuspectSummary[] }
  | {
      readonly kind: 'tried';
      readonly function: string;
      readonly tried: number;
      readonly best: FixReport['best'];
    }
  | { readonly kind: 'repaired'; readonly repair: Repair };

/** The part of a copied project that a report names. */
interface CopyOfProject {
  readonly root: string;
  readonly runnerName: string;
  readonly isolation: IsolationLevel;
  source(path: string): SourceFile;
  isTest(path: string): boolean;
}

/** The final state of the machine and its context. */
export interface EndedRepair {
  readonly state: string;
  readonly context: ProjectContext;
}

/** @throws HefixError `PATCH_TOUCHES_TEST` */
export function reportOf(
  { state, context }: EndedRepair,
  {
    project,
    isTimeUp,
    seconds,
  }: {
    readonly project: CopyOfProject;
    readonly isTimeUp: boolean;
    readonly seconds: number;
  },
): FixReport {
  const { first, after, baseline, ranked, repairs, changes, tried, best, judge } = context;
  const before = countsOf(first ?? { tests: [] });
  const { flaky = [], notes = [] } = baseline ?? {};
  const outcome = outcomes[state];
  if (!outcome) throw new Error(`The machine ended in ${state}.`);
  const touched = changes.find(({ path }) => project.isTest(path));
  if (touched) throw patchTouchesTest(touched.path);
  return {
    outcome,
    project: project.root,
    runner: project.runnerName,
    isolation: project.isolation,
    judge,
    before,
    after: after ? countsOf(after) : before,
    flaky,
    failing: baseline ? failingOf(baseline) : [],
    suspects: (ranked ?? []).map(summaryOf),
    repairs,
    tried,
    best,
    timeUp: context.isTimeUp || (repairs.length > 0 && isTimeUp),
    seconds,
    notes: [...notes, ...(context.project?.notes ?? [])],
    changes: changesOf(project.source, changes),
  };
}

const outcomes: Readonly<Record<string, FixReport['outcome']>> = {
  repaired: 'repaired',
  partly: 'partly',
  notRepaired: 'not-repaired',
  nothingToRepair: 'nothing-to-repair',
};

/** The tests that fail before any repair. */
export function failingOf({ tests }: Baseline): FailingTest[] {
  return failedTests({ tests }).map(({ id, message = '' }) => ({ id, message }));
}

export function summaryOf({ file, function: name, line, suspicion }: Suspect): SuspectSummary {
  return { file, function: name, line, suspicion: Math.round(suspicion * 1000) / 1000 };
}
