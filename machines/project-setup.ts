import { assign, fromPromise, setup } from 'xstate';
import type { JudgeKind } from '../lib/core/ports.ts';
import type { TestReport, TestResult } from '../lib/core/project-tests.ts';
import { type Cause, notProvided } from './actors.ts';
import type {
  Baseline,
  Best,
  ChangedFile,
  Confirmation,
  ConfirmInput,
  CopiedProject,
  Effort,
  Found,
  JudgedProject,
  JudgeInput,
  LocateInput,
  Repair,
  RewriteInput,
  SearchInput,
  SearchResult,
  Suspect,
} from './project-actors.ts';

export interface ProjectInput {
  /** Stop after ranking the suspects. */
  readonly suspectsOnly: boolean;
  /** Repair iterations of each function with a model that writes whole functions. */
  readonly iterations: number;
}

/** Plain data, so that snapshots can be stored and resumed. */
export interface ProjectContext extends ProjectInput {
  readonly project: CopiedProject | null;
  /** The first run of all tests. */
  readonly first: TestReport | null;
  readonly baseline: Baseline | null;
  /** The tests that count, with the results of the last confirmed repair. */
  readonly tests: readonly TestResult[];
  /** All tests after the last repair. */
  readonly after: TestReport | null;
  /** Suspects before any repair, and those of the current round. */
  readonly ranked: readonly Suspect[] | null;
  readonly suspects: readonly Suspect[];
  /** The suspect that is searched, and how far. */
  readonly place: number;
  readonly effort: Effort;
  /** The best candidate of each suspect that makes only some tests pass. */
  readonly progress: readonly (Found | null)[];
  readonly found: Found | null;
  readonly changes: readonly ChangedFile[];
  readonly repairs: readonly Repair[];
  readonly tried: number;
  readonly best: Best | null;
  readonly isTimeUp: boolean;
  /** Whether the model wrote the function, and has not seen yet what is wrong with it. */
  readonly isWritten: boolean;
  readonly judge: JudgeKind | null;
  /** The reason for the state `error`. */
  readonly cause: Cause | null;
}

export function projectContext(input: ProjectInput): ProjectContext {
  return {
    ...input,
    project: null,
    first: null,
    baseline: null,
    tests: [],
    after: null,
    ranked: null,
    ...firstSuspect([]),
    changes: [],
    repairs: [],
    tried: 0,
    best: null,
    isTimeUp: false,
    isWritten: false,
    judge: null,
    cause: null,
  };
}

/** Number of functions to try, and of those for which pairs of edits are tried. */
const MAX_SUSPECTS = 8;
const MAX_PAIRED_SUSPECTS = 3;

function firstSuspect(suspects: readonly Suspect[]) {
  return {
    suspects: suspects.slice(0, MAX_SUSPECTS),
    place: 0,
    effort: 'promising',
    progress: [],
    found: null,
  } as const satisfies Partial<ProjectContext>;
}

export const projectSetup = setup({
  types: {
    input: {} as ProjectInput,
    context: {} as ProjectContext,
  },
  actors: {
    copy: fromPromise<CopiedProject>(notProvided),
    test: fromPromise<TestReport>(notProvided),
    repeat: fromPromise<Baseline, TestReport>(notProvided),
    locate: fromPromise<readonly Suspect[], LocateInput>(notProvided),
    search: fromPromise<SearchResult, SearchInput>(notProvided),
    rewrite: fromPromise<SearchResult, RewriteInput>(notProvided),
    confirm: fromPromise<Confirmation, ConfirmInput>(notProvided),
    judge: fromPromise<JudgedProject, JudgeInput>(notProvided),
  },
  guards: {
    /** A model is needed soon. */
    someFail: ({ context }, { tests }: TestReport) =>
      !context.suspectsOnly && tests.some(({ outcome }) => outcome === 'failed'),
    allPass: ({ context }) => failing(context.tests) === 0,
    /** All tests pass that count, but some do not count. */
    someAreIgnored: ({ context }) => {
      const { flaky = [], isOffline = false } = context.baseline ?? {};
      return failing(context.tests) === 0 && (flaky.length > 0 || isOffline);
    },
    isOnlyRanking: ({ context }) => context.suspectsOnly,
    hasSuspects: ({ context }) => context.suspects.length > 0,
    isTimeUp: ({ context }) => context.isTimeUp,
    isFound: ({ context }) => context.found !== null,
    /** Once for each function of a round. */
    mayRewrite: ({ context: { isWritten, effort, iterations } }) =>
      isWritten && effort === 'promising' && iterations > 0,
    hasNextSuspect: ({ context: { suspects, place, effort } }) =>
      place + 1 < Math.min(suspects.length, effort === 'pairs' ? MAX_PAIRED_SUSPECTS : MAX_SUSPECTS),
    triedPromising: ({ context }) => context.effort === 'promising',
    triedAll: ({ context }) => context.effort === 'all',
    hasProgress: ({ context }) => context.progress.some(found => found !== null),
    isConfirmed: (_, { report }: Confirmation) => report !== null,
    hasNoRepair: ({ context }) => context.repairs.length === 0,
    /** Of all tests, the flaky ones aside. */
    someStillFail: ({ context }) => leftOf(context) > 0,
    hasFlakyTests: ({ context }) => (context.baseline?.flaky.length ?? 0) > 0,
  },
  actions: {
    /** Starts loading the model, which takes as long as repeating the tests and trying the first candidates. */
    loadModel: () => {},
    keepProject: assign({ project: (_, project: CopiedProject) => project }),
    keepFirst: assign({ first: (_, first: TestReport) => first }),
    keepBaseline: assign((_, baseline: Baseline) => ({ baseline, tests: baseline.tests })),
    keepSuspects: assign(({ context }, suspects: readonly Suspect[]) => ({
      ...firstSuspect(suspects),
      ranked: context.ranked ?? suspects,
    })),
    keepSearch: assign(({ context }, { progress, ...result }: SearchResult) => ({
      ...result,
      progress: context.suspects.map((_, place) =>
        place === context.place ? progress : (context.progress[place] ?? null),
      ),
    })),
    takeNextSuspect: assign({ place: ({ context }) => context.place + 1 }),
    tryAll: assign({ place: 0, effort: 'all' }),
    tryPairs: assign({ place: 0, effort: 'pairs' }),
    /** The candidate that makes most failing tests pass, of the more suspicious function if several do. */
    takeProgress: assign({
      found: ({ context }) =>
        context.progress.reduce(
          (most, each) => (each !== null && each.passed > (most?.passed ?? 0) ? each : most),
          null,
        ),
    }),
    keepRepair: assign(({ context }, { report }: Confirmation) => {
      const { found, tests } = context;
      if (!found || !report) return {};
      const known = new Set(tests.map(({ id }) => id));
      return {
        changes: changesWith(context),
        repairs: [...context.repairs, found.repair],
        after: report,
        tests: report.tests.filter(({ id }) => known.has(id)),
        best: null,
      };
    }),
    keepJudge: assign({ judge: (_, { judge }: JudgedProject) => judge }),
    keepIsolated: assign({ judge: 'isolated' }),
    keepCause: assign({ cause: (_, cause: Cause) => cause }),
  },
});

/** The changed files, with that of the candidate that was found. */
export function changesWith({ changes, found }: ProjectContext): readonly ChangedFile[] {
  if (!found) return changes;
  return [...changes.filter(({ path }) => path !== found.change.path), found.change];
}

export function searchOf(context: ProjectContext): SearchInput {
  const { tests, changes, suspects, place, effort, repairs, tried, best } = context;
  return { tests, changes, suspects, place, effort, round: repairs.length, tried, best };
}

/** Number of tests that fail after the last repair, without flaky ones. */
function leftOf({ after, baseline }: ProjectContext): number {
  return failing((after?.tests ?? []).filter(({ id }) => !baseline?.flaky.includes(id)));
}

function failing(tests: readonly TestResult[]): number {
  return tests.filter(({ outcome }) => outcome === 'failed').length;
}
