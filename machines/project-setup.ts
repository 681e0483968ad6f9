import { assign, fromPromise, setup } from 'xstate';
import type { JudgeKind } from '../lib/core/ports.ts';
import type { TestReport, TestResult } from '../lib/core/project-tests.ts';
import { type Cause, notProvided } from './actors.ts';
import { hasNextSlice } from './budgets.ts';
import type { AgentContext } from './context.ts';
import { choosable, isPassing, type Pool } from './pool.ts';
import {
  type Answered,
  type AskedQuestion,
  type Baseline,
  type Best,
  type ChangedFile,
  type Confirmation,
  type ConfirmInput,
  type CopiedProject,
  type Effort,
  type Found,
  type JudgedProject,
  type JudgeInput,
  type Located,
  type LocateInput,
  type Other,
  type Progress,
  type QuestionInput,
  type Repair,
  type RepairQuestion,
  type Suspect,
  type Tried,
  titleOf,
} from './project-actors.ts';
import { suspectMachine } from './suspect.ts';
import { writerMachine } from './writer.ts';
import type { WrittenRepair } from './writer-actors.ts';

export interface ProjectInput {
  /** Stop after ranking the suspects. */
  readonly suspectsOnly: boolean;
  /** Whether a model is asked for answers, besides ranking edits. */
  readonly asksModel: boolean;
  /** Whether it writes the project's files in a conversation, and its limits. */
  readonly converses: boolean;
  readonly iterations: number;
  readonly maxRequests: number;
  /** How long an edit that passes waits for its first answer, also while it is prepared. */
  readonly answerSeconds: number;
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
  /** How often all suspects were searched with the effort `all`. */
  readonly slice: number;
  /** The best candidate of each suspect that makes only some tests pass. */
  readonly progress: readonly (Progress | null)[];
  readonly found: Found | null;
  /** Other candidates of the same function that pass, or may pass. */
  readonly others: readonly Other[];
  readonly changes: readonly ChangedFile[];
  readonly repairs: readonly Repair[];
  readonly tried: number;
  readonly best: Best | null;
  readonly isTimeUp: boolean;
  /** Whether a repair was taken because the time was up: another run may take another. */
  readonly isByClock: boolean;
  /** Whether the model is in its conversation, and has answered. */
  readonly isWriting: boolean;
  readonly isAnswered: boolean;
  readonly judge: JudgeKind | null;
  readonly question: RepairQuestion | null;
  readonly alternatives: AskedQuestion['alternatives'];
  readonly mutants: AskedQuestion['mutants'];
  readonly added: ChangedFile | null;
  /** Why no test was added for it. */
  readonly questionNote: string | null;
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
    isByClock: false,
    isWriting: false,
    isAnswered: false,
    judge: null,
    question: null,
    alternatives: [],
    mutants: null,
    added: null,
    questionNote: null,
    cause: null,
  };
}

/** Number of functions and of constants to try, and of suspects for which pairs of edits are tried. */
const MAX_SUSPECTS = { function: 8, constant: 4 } as const;
const MAX_PAIRED_SUSPECTS = 3;

function firstSuspect(suspects: Located['suspects']) {
  return {
    suspects: suspects.filter(isAmongFirst),
    place: 0,
    effort: suspects[0]?.kind === 'function' ? 'edits' : 'promising',
    slice: 0,
    progress: [],
    found: null,
    others: [],
  } as const satisfies Partial<ProjectContext>;
}

/** The next suspect that has its turn; null if there is none. */
function nextPlace({ suspects, place, effort }: ProjectContext): number | null {
  const isInTurn = ({ kind }: Suspect, index: number): boolean =>
    index > place &&
    (effort !== 'edits' || kind === 'function') &&
    (effort !== 'pairs' || index < MAX_PAIRED_SUSPECTS);
  const next = suspects.findIndex(isInTurn);
  return next === -1 ? null : next;
}

function isAmongFirst({ kind }: Suspect, place: number, all: readonly Suspect[]): boolean {
  return all.slice(0, place).filter(other => other.kind === kind).length < MAX_SUSPECTS[kind];
}

export const projectSetup = setup({
  types: {
    input: {} as ProjectInput,
    context: {} as ProjectContext,
    events: {} as Tried | Answered,
  },
  actors: {
    copy: fromPromise<CopiedProject>(notProvided),
    test: fromPromise<TestReport>(notProvided),
    repeat: fromPromise<Baseline, TestReport>(notProvided),
    locate: fromPromise<Located, LocateInput>(notProvided),
    write: writerMachine,
    search: suspectMachine,
    confirm: fromPromise<Confirmation, ConfirmInput>(notProvided),
    question: fromPromise<AskedQuestion, QuestionInput>(notProvided),
    judge: fromPromise<JudgedProject, JudgeInput>(notProvided),
  },
  delays: { answerLimit: ({ context }) => context.answerSeconds * 1000 },
  guards: {
    /** A model is needed soon. */
    testsFail: ({ context }, { tests }: TestReport) =>
      !context.suspectsOnly && tests.some(({ outcome }) => outcome === 'failed'),
    allTestsPass: ({ context }) => failing(context.tests) === 0,
    /** All tests pass that count, but some are flaky. */
    onlyFlakyTestsFail: ({ context }) =>
      failing(context.tests) === 0 && (context.baseline?.flaky.length ?? 0) > 0,
    isOnlyRanking: ({ context }) => context.suspectsOnly,
    hasSuspects: ({ context }) => context.suspects.length > 0,
    isTimeUp: ({ context }) => context.isTimeUp,
    searchFailed: (_, { cause }: AgentContext) => cause !== null && cause.code !== TIME_UP,
    hasRepair: ({ context }) => context.found !== null,
    hasWritten: (_, repair: WrittenRepair | null) => repair !== null,
    isWriting: ({ context }) => context.isWriting,
    /** The first answer may be a better repair than an edit. */
    mayBeWritten: ({ context: { found, isWriting, isAnswered } }) =>
      found !== null && isWriting && !isAnswered,
    needNotWait: ({ context: { found, isWriting, isAnswered } }) =>
      !isWriting || (found !== null && isAnswered),
    hasNextSuspect: ({ context }) => nextPlace(context) !== null,
    triedEdits: ({ context }) => context.effort === 'edits',
    triedPromising: ({ context }) => context.effort === 'promising',
    /** The search goes round the suspects in slices, so that none uses up the time of the others. */
    hasNextSlice: ({ context }) => context.effort === 'all' && hasNextSlice(context),
    triedAll: ({ context }) => context.effort === 'all',
    hasProgress: ({ context }) => context.progress.some(entry => entry !== null),
    /** The best so far is confirmed even when the time is up. */
    hasProgressWhenTimeIsUp: ({ context }) =>
      context.isTimeUp && context.found === null && context.progress.some(entry => entry !== null),
    isConfirmed: (_, { report }: Confirmation) => report !== null,
    hasNoRepair: ({ context }) => context.repairs.length === 0,
    /** Also those that were not there before the repair. */
    testsStillFail: ({ context }) => leftOf(context) > 0,
    /** Other repairs of a function are only comparable if nothing else was changed. */
    otherRepairsMayPass: ({ context: { repairs, found, others } }) =>
      // Edits of a function that a model wrote are looked for then.
      repairs.length === 1 && (others.length > 0 || found?.origin === 'sample'),
    hasFlakyTests: ({ context }) => (context.baseline?.flaky.length ?? 0) > 0,
  },
  actions: {
    /** Starts loading the model while tests are repeated. */
    loadModel: () => {},
    /** Ends trials that are under way when the model has repaired the project. */
    endSearch: () => {},
    keepProject: assign({ project: (_, project: CopiedProject) => project }),
    keepFirst: assign({ first: (_, first: TestReport) => first }),
    keepBaseline: assign((_, baseline: Baseline) => ({ baseline, tests: baseline.tests })),
    keepSuspects: assign(({ context }, { suspects }: Located) => ({
      ...firstSuspect(suspects),
      ranked: context.ranked ?? suspects,
    })),
    startWriting: assign({ isWriting: ({ context }) => context.converses, isAnswered: false }),
    endWriting: assign({ isWriting: false }),
    keepAnswered: assign({ isAnswered: true }),
    /** The repair of the conversation: files are changed, and all tests have confirmed it. */
    keepWritten: assign(({ context }, repair: WrittenRepair | null) => {
      if (repair === null) return {};
      const ids = new Set(context.tests.map(({ id }) => id));
      return {
        ...{ changes: repair.changes, after: repair.report, best: null, ...foundBy(context, repair) },
        repairs: [...context.repairs, ...repair.repaired],
        tests: repair.report.tests.filter(({ id }) => ids.has(id)),
        isWriting: false,
      };
    }),
    keepTried: assign(({ context }, { place, passed, of, progress }: Tried) => ({
      tried: context.tried + 1,
      ...(place >= 0 &&
        passed > (context.best?.passed ?? -1) && {
          best: { function: nameOf(context.suspects[place]), passed, of },
        }),
      ...(progress && {
        progress: context.suspects.map((_, index) =>
          index === place ? progress : (context.progress[index] ?? null),
        ),
      }),
    })),
    keepSearch: assign(({ context: { place, isByClock } }, search: AgentContext) => {
      const { pool, cause, time } = search;
      const [first = -1] = choosable(pool);
      const candidate = pool.candidates[first];
      return {
        others: candidate ? othersIn(pool, first) : [],
        found: candidate ? { place, code: candidate.code ?? '', origin: candidate.origin.kind } : null,
        isTimeUp: cause !== null,
        isByClock: isByClock || (candidate !== undefined && time.isByClock === true),
      };
    }),
    takeNextSuspect: assign({ place: ({ context }) => nextPlace(context) ?? context.place + 1 }),
    tryPromising: assign({ place: 0, effort: 'promising' }),
    tryAll: assign({ place: 0, effort: 'all' }),
    tryNextSlice: assign({ place: 0, slice: ({ context }) => context.slice + 1 }),
    tryPairs: assign({ place: 0, effort: 'pairs' }),
    takeProgress: assign({
      others: [],
      found: ({ context }) => {
        const most = mostProgress(context);
        return most && { ...most, isPartial: true };
      },
    }),
    /** For a repair that only passed by chance, for example because of the order of a set. */
    dismissFound: assign(({ context: { found, progress } }) => ({
      found: null,
      others: [],
      progress: progress.map((each, index) => (index === found?.place ? null : each)),
    })),
    keepRepair: assign(({ context }, { report, changes, repaired, others }: Confirmation) => {
      const { found, tests, baseline } = context;
      if (!found || !report) return {};
      const ids = new Set(tests.map(({ id }) => id).filter(id => !others.includes(id)));
      const left = report.tests.filter(({ id }) => ids.has(id));
      const { origin, isPartial } = found;
      const isWhole = others.length > 0 && failing(left) === 0;
      const how = { origin, ...(isPartial && !isWhole && { isPartial }) };
      return {
        changes,
        repairs: [...context.repairs, { ...repaired, ...how }],
        after: report,
        tests: left,
        baseline: baseline && { ...baseline, others: [...baseline.others, ...others] },
        best: null,
      };
    }),
    keepQuestion: assign(({ context: { repairs } }, asked: AskedQuestion) => {
      const { question, alternatives, mutants, changes, added, report, note, isEdit } = asked;
      return {
        ...{ question, alternatives, mutants, changes, added, after: report, questionNote: note },
        repairs: isEdit ? repairs.map(each => ({ ...each, origin: 'edit' as const })) : repairs,
      };
    }),
    keepJudge: assign({ judge: (_, { judge }: JudgedProject) => judge }),
    keepIsolated: assign({ judge: 'isolated' }),
    keepCause: assign({ cause: (_, cause: Cause | null) => cause }),
  },
});

/** What a model wrote as a version of one suspect, and the edits of that suspect that pass or may pass as well. */
function foundBy(
  { suspects, found, others }: ProjectContext,
  { version }: WrittenRepair,
): Pick<ProjectContext, 'found' | 'others'> {
  const place = suspects.findIndex(
    ({ file, function: name, line }) =>
      file === version?.file && name === version.function && line === version.line,
  );
  if (version === null || place === -1) return { found: null, others: [] };
  const isOther = found !== null && found.place === place && found.isPartial !== true;
  return {
    found: { place, code: version.code, origin: 'sample' },
    others: isOther ? [{ code: found.code, origin: found.origin, passes: true }, ...others] : [],
  };
}

/** How a suspect is named; empty for none. */
export function nameOf(suspect: Suspect | undefined): string {
  return suspect ? titleOf(suspect) : '';
}

/** The candidate that makes most failing tests pass, of the more suspicious function if several do. */
export function mostProgress({ progress }: Pick<ProjectContext, 'progress'>): Progress | null {
  return progress.reduce<Progress | null>(
    (most, each) => (each !== null && each.passed > (most?.passed ?? 0) ? each : most),
    null,
  );
}

/** The code of the cause if the time of the repair was up. */
export const TIME_UP = 'TIME_UP';

/** Candidates that pass, then those that were not tried. */
function othersIn({ candidates, trials, order }: Pool, chosen: number): Other[] {
  const others = order.filter(index => index !== chosen);
  const passing = others.filter(index => isPassing(trials[index]));
  const untried = others.filter(index => trials[index] === null).slice(0, MAX_UNTRIED);
  return [...passing, ...untried].flatMap(index => {
    const candidate = candidates[index];
    return candidate
      ? [{ code: candidate.code ?? '', origin: candidate.origin.kind, passes: isPassing(trials[index]) }]
      : [];
  });
}

const MAX_UNTRIED = 150;

/** Number of tests that fail after the last repair and count, or are new. */
function leftOf({ after, baseline }: ProjectContext): number {
  const aside = new Set([baseline?.flaky, baseline?.elsewhere, baseline?.others].flatMap(ids => ids ?? []));
  return failing((after?.tests ?? []).filter(({ id }) => !aside.has(id)));
}

function failing(tests: readonly TestResult[]): number {
  return tests.filter(({ outcome }) => outcome === 'failed').length;
}
