import { join, relative, sep } from 'node:path';
import type {
  Baseline,
  ChangedFile,
  Mutants,
  Repair,
  Repairable,
  RepairQuestion,
  Suspect,
} from '../../machines/project-actors.ts';
import type { ProjectContext } from '../../machines/project-setup.ts';
import type { JudgeKind } from '../core/ports.ts';
import { countsOf, failedTests, type TestCounts, type TestResult } from '../core/project-tests.ts';
import type { IsolationLevel } from '../core/verdict.ts';
import { type UnsureKind, unsureKind } from './claim.ts';
import { patchTouchesTest } from './errors.ts';
import { type SourceFile, sourcesOf } from './patch/source-file.ts';
import { changesOf, type FileChange, isOnlyAdded } from './patch/unified-diff.ts';
import type { SourceFolder } from './project/new-files.ts';

export { titleOf } from '../../machines/project-actors.ts';

/** The result of repairing a project. */
export interface FixReport {
  /**
   * `unsure`: all tests pass, but with a kind of change that is seldom meant (`unsure` says which). `partly`: fewer tests
   * fail than before, but some still do.
   */
  readonly outcome: 'repaired' | 'unsure' | 'partly' | 'nothing-to-repair' | 'not-repaired';
  /** What a change does that is not called a repair, such as `exchanges a variable`; null if it is one, or none. */
  readonly unsure: UnsureKind | null;
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
  /** Tests that fail because the sandbox does not have what they need; `notes` says what. */
  readonly elsewhere: readonly string[];
  readonly failing: readonly ReportedTest[];
  /** Tests that fail after the repair, flaky ones and those of `elsewhere` aside; empty without a repair. */
  readonly stillFailing: readonly FailingTest[];
  readonly suspects: readonly ReportedSuspect[];
  readonly repairs: readonly Repair[];
  /** An input on which other repairs differ that pass all tests; null if none was found. */
  readonly question: RepairQuestion | null;
  /** Unified diffs of other repairs that were found to pass all tests, the likeliest first. */
  readonly alternatives: readonly string[];
  /** Single edits of the changed expression that were tried, and those that the tests reject; null if none was. */
  readonly mutants: Mutants | null;
  /** Number of candidates that were run. */
  readonly tried: number;
  /** Requests and tokens of a model that writes a project's files; null without one. */
  readonly model: ModelUse | null;
  /** The candidate that came closest, if nothing was repaired. */
  readonly best: { readonly function: string; readonly passed: number; readonly of: number } | null;
  readonly timeUp: boolean;
  readonly seconds: number;
  /** Notes to show, as whole sentences. */
  readonly notes: readonly string[];
  readonly changes: readonly FileChange[];
}

/** What the conversations with a model have cost. */
export interface ModelUse {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In the currency of the prices; null without prices. */
  readonly cost: number | null;
  /** Why it was never reached, as a sentence; null if it answered, or nothing failed. */
  readonly failure: string | null;
}

export interface FailingTest {
  readonly id: string;
  readonly message: string;
}

/** A line of the project's code; 1-based. */
export interface CodeLine {
  readonly line: number;
  readonly source: string;
}

/** A failing test with what its assertion saw. */
export interface ReportedTest extends FailingTest {
  readonly place?: CodeLine & { readonly file: string };
  readonly expected?: string;
  readonly actual?: string;
  /** Of the tests that execute the first suspect, the one that executes the fewest lines: a person should look at it. */
  readonly isTelling: boolean;
}

export interface SuspectSummary {
  readonly kind: Repairable;
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly suspicion: number;
}

export interface ReportedSuspect extends SuspectSummary {
  /** Its most suspicious lines. */
  readonly lines: readonly CodeLine[];
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
      /** Its file and line; null in a conversation about the whole project. */
      readonly location: string | null;
      readonly tried: number;
      /** Candidates to try before the next step; null if that is unknown. */
      readonly left: number | null;
      readonly best: FixReport['best'];
    }
  /** A state of the machine that searches in a function was entered. */
  | {
      readonly kind: 'step';
      readonly step: string;
      readonly function: string;
      readonly left: number | null;
    }
  | { readonly kind: 'repaired'; readonly repair: Repair }
  /** What a model that writes files is asked. */
  | { readonly kind: 'prompt'; readonly request: number; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** A function that it calls before it answers. */
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string }
  | {
      readonly kind: 'interrupted';
      /** Absolute path of the project's folder. */
      readonly project: string;
      readonly tried: number;
      /** Titles of the functions and constants whose repair was confirmed. */
      readonly repaired: readonly string[];
      /** The candidate that makes most failing tests pass and breaks none. */
      readonly best: FixReport['best'];
      /** With the repairs and that candidate. */
      readonly changes: readonly FileChange[];
    };

/** The part of a copied project that a report names. */
interface CopyOfProject extends SourceFolder {
  readonly root: string;
  readonly runnerName: string;
  readonly isolation: IsolationLevel;
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
    use,
  }: {
    readonly project: CopyOfProject;
    readonly isTimeUp: boolean;
    readonly seconds: number;
    readonly use: ModelUse | null;
  },
): FixReport {
  const {
    first,
    after,
    baseline,
    ranked,
    repairs,
    changes,
    tried,
    best,
    judge,
    question,
    alternatives,
    mutants,
    questionNote,
    added,
  } = context;
  const before = countsOf(first ?? { tests: [] });
  const { flaky = [], elsewhere = [], notes = [] } = baseline ?? {};
  const aside = new Set([...flaky, ...elsewhere]);
  const ended = outcomes[state];
  if (!ended) throw new Error(`The machine ended in ${state}.`);
  // Who answers the question says which is meant.
  const unsure = question?.chosen == null ? unsureOf(project, context) : null;
  const outcome = ended === 'repaired' && unsure !== null ? 'unsure' : ended;
  const touched = changes.find(({ path }) => project.isTest(path));
  if (touched) throw patchTouchesTest(touched.path);
  // A saved state may hold anything.
  if (added && !(question?.chosen != null && isAddition(project.source(added.path), added)))
    throw patchTouchesTest(added.path);
  return {
    outcome,
    unsure,
    project: project.root,
    runner: project.runnerName,
    isolation: project.isolation,
    judge,
    before,
    after: after ? countsOf(after) : before,
    flaky,
    elsewhere,
    failing: baseline ? reportedTests(project, baseline, ranked ?? []) : [],
    stillFailing: failingOf({ tests: after?.tests ?? [] }).filter(({ id }) => !aside.has(id)),
    suspects: (ranked ?? []).map(each => ({ ...summaryOf(each), lines: suspiciousLines(project, each) })),
    repairs,
    question,
    alternatives,
    mutants,
    tried,
    model: use,
    best,
    timeUp: context.isTimeUp || (repairs.length > 0 && isTimeUp),
    seconds,
    notes: [
      ...[...notes, ...(context.project?.notes ?? [])],
      ...(context.isByClock && repairs.length > 0 ? [BY_CLOCK] : []),
      ...(questionNote === null ? [] : [questionNote]),
    ],
    changes: changesOf(project, [...changes, ...(added ? [added] : [])]),
  };
}

const BY_CLOCK =
  'The clock decided: the time was up before all likelier candidates were tried, so another run may give another repair.';

/** Whether the changes make only some of the tests pass that execute a function: no repair, but the best so far. */
export function isBestSoFar({ outcome, repairs }: Pick<FixReport, 'outcome' | 'repairs'>): boolean {
  return outcome === 'partly' && repairs.some(({ isPartial }) => isPartial);
}

/**
 * Whether `--write` writes the changes: repairs, others that pass all tests only by `--write unsure`, and never one that
 * makes only some tests of a function pass.
 */
export function isWritten(
  report: Pick<FixReport, 'outcome' | 'repairs'>,
  write: boolean | 'unsure',
): boolean {
  if (isBestSoFar(report)) return false;
  return write === 'unsure' || (write && report.outcome !== 'unsure');
}

/** Paths in the folder where the diff will be applied; in the project itself if a changed file is elsewhere. */
export function placesIn(
  cwd: string,
  { project, changes }: Pick<FixReport, 'project' | 'changes'>,
): (path: string) => string {
  const placed = (path: string): string => relative(cwd, join(project, path)).split(sep).join('/');
  const isElsewhere = changes.some(({ file }) => placed(file.path).startsWith('../'));
  return isElsewhere ? path => path : placed;
}

/** Of the first change that is not called a repair. What a model wrote is one: edits were judged, not its answers. */
function unsureOf(project: CopyOfProject, context: ProjectContext): UnsureKind | null {
  const { changes, repairs, mutants } = context;
  const edited = new Set(repairs.filter(({ origin }) => origin !== 'sample').map(({ file }) => file));
  for (const { path, text } of sourcesOf(changes).values()) {
    if (!edited.has(path)) continue;
    const before = project.source(path).text;
    const kind = unsureKind(before, text, { mutants, said: saidAbout(before, context) });
    if (kind !== null) return kind;
  }
  return null;
}

/** What the failing tests and the documentation of the repaired functions say, examples of the latter included. */
function saidAbout(
  source: string,
  { baseline, ranked, repairs }: Pick<ProjectContext, 'baseline' | 'ranked' | 'repairs'>,
): string {
  const tests = failedTests({ tests: baseline?.tests ?? [] }).map(({ test, message, expected }) =>
    [test?.source, message, expected].join('\n'),
  );
  const isRepaired = ({ file, function: name }: Suspect): boolean =>
    repairs.some(each => each.file === file && each.function === name);
  const docs = (ranked ?? []).filter(isRepaired).map(({ task }) => task.docstring);
  const comments = source.split('\n').flatMap(line => COMMENT.exec(line)?.[1] ?? []);
  return [...tests, ...docs, ...comments].join('\n');
}

const COMMENT = /^\s*(?:#|\/\/|\*)(.*)$/;

function isAddition({ text }: SourceFile, added: ChangedFile): boolean {
  return [...sourcesOf([added]).values()].every(after => isOnlyAdded(text, after.text));
}

const outcomes: Readonly<Record<string, FixReport['outcome']>> = {
  repaired: 'repaired',
  partly: 'partly',
  notRepaired: 'not-repaired',
  nothingToRepair: 'nothing-to-repair',
};

/** The tests that fail. */
export function failingOf({ tests }: Pick<Baseline, 'tests'>): FailingTest[] {
  return failedTests({ tests }).map(({ id, message = '' }) => ({ id, message }));
}

export function summaryOf({ kind, file, function: name, line, suspicion }: Suspect): SuspectSummary {
  return { kind, file, function: name, line, suspicion: Math.round(suspicion * 1000) / 1000 };
}

function reportedTests(
  project: CopyOfProject,
  { tests }: Baseline,
  [first]: readonly Suspect[],
): ReportedTest[] {
  const failed = failedTests({ tests });
  const size = ({ lines = {} }: TestResult): number => Object.values(lines).flat().length;
  const suspectLines = new Set(first?.lines.map(([line]) => line));
  const reaching = failed.filter(({ lines = {} }) =>
    lines[first?.file ?? '']?.some(line => suspectLines.has(line)),
  );
  const [telling] = (reaching.length > 0 ? reaching : failed).toSorted((a, b) => size(a) - size(b));
  return failed.map(test => {
    const { id, message = '', expected, actual } = test;
    const place = placeOf(project, test);
    return {
      ...{ id, message, isTelling: test === telling },
      ...(place && { place }),
      ...(expected !== undefined && actual !== undefined && { expected, actual }),
    };
  });
}

/** Where a test fails: its own line that the traceback names last. */
function placeOf(project: CopyOfProject, { frames = [], test }: TestResult): ReportedTest['place'] | null {
  const frame = frames.findLast(([path]) => project.isTest(path) && project.has(path));
  if (!frame) return null;
  const [file, last] = frame;
  const line = test?.line ?? last;
  return { file, line, source: test?.source ?? lineIn(project, file, line) };
}

/** Most lines of a function that are shown. */
const MAX_LINES = 3;

function suspiciousLines(project: CopyOfProject, { file, lines }: Suspect): CodeLine[] {
  const most = lines.reduce((highest, [, suspicion]) => Math.max(highest, suspicion), 0);
  return lines
    .filter(([, suspicion]) => suspicion === most && most > 0)
    .toSorted(([a], [b]) => a - b)
    .slice(0, MAX_LINES)
    .map(([line]) => ({ line, source: lineIn(project, file, line) }));
}

function lineIn(project: CopyOfProject, file: string, line: number): string {
  return project.source(file).text.split('\n')[line - 1]?.trim() ?? '';
}
