import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AskedQuestion,
  Baseline,
  Confirmation,
  ConfirmInput,
  CopiedProject,
  JudgedProject,
  JudgeInput,
  Located,
  LocateInput,
  QuestionInput,
  Tried,
} from '../../machines/project-actors.ts';
import type { ProjectContext } from '../../machines/project-setup.ts';
import type { Opened } from '../core/async.ts';
import { once, signalWithin } from '../core/async.ts';
import { failedTests, type TestReport, type TestResult, withLines } from '../core/project-tests.ts';
import { testEndsProcess, testsNone, testsNotCollected, testsTooSlow } from './errors.ts';
import {
  chosenFunction,
  projectExcess,
  projectSuspects,
  testsOfOthers,
} from './localise/project-suspects.ts';
import { type StartedModel, startModel } from './model/start-model.ts';
import type { FixOptions, FixParts } from './options.ts';
import { bytesOf, sourcesOf } from './patch/source-file.ts';
import { changesOf } from './patch/unified-diff.ts';
import { checkSources } from './project/check-sources.ts';
import { lastFailures, lastFailuresOnly, passedLast } from './project/last-failures.ts';
import { type OpenProject, openProject } from './project/open-project.ts';
import { missingNotes, missingSurroundings, type Outside } from './project/surroundings.ts';
import type { OtherRepairs } from './question/ask-question.ts';
import { type FunctionSearch, type Round, startRound } from './repair/function-search.ts';
import { confirmRepair, judgeRepair } from './repair/judge-repair.ts';
import { suspectData } from './repair/suspect-change.ts';
import type { RepairTime } from './repair-time.ts';
import type { ModelUse } from './report.ts';
import { createProjectRunners, type ProjectRunners } from './runners/project-runners.ts';
import type { Runner } from './runners/runner.ts';
import { LATE } from './runners/served-runner.ts';
import { findFlaky } from './runners/unreliable-tests.ts';
import type { WriterActors } from './write/writer.ts';

/** What the actors of the machine for projects compute. */
export interface ProjectActors {
  copy(): Promise<CopiedProject>;
  test(): Promise<TestReport>;
  repeat(input: TestReport): Promise<Baseline>;
  locate(input: LocateInput): Promise<Located>;
  /** The actors of the machines that search in a function, for the suspect that the machine for projects is at. */
  search(): Promise<FunctionSearch['actors']>;
  /** The actors of the conversation with a model that writes files, one for each bug. */
  write(): Promise<WriterActors>;
  confirm(input: ConfirmInput): Promise<Confirmation>;
  question(input: QuestionInput): Promise<AskedQuestion>;
  judge(input: JudgeInput): Promise<JudgedProject>;
  loadModel(): void;
  /** Ends the search for edits, once the model has repaired the project. */
  endSearch(): void;
  /** What the conversations have cost; null without any. */
  use(): Promise<ModelUse | null>;
  /** The copied project. @throws HefixError if it cannot be opened */
  project(): Promise<OpenProject>;
}

export interface ProjectActorParts {
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** Whatever is opened is closed by the caller. */
  readonly opened: Opened;
  readonly signal: AbortSignal;
  /** Also aborts when the time is up, which ends the search and the question; the last run of all tests finishes. */
  readonly inTime: AbortSignal;
  /** What this takes is not part of the time. */
  readonly untimed: RepairTime['untimed'];
  /** Of the machine. */
  readonly context: () => ProjectContext;
  readonly onTried: (tried: Tried) => void;
  /** Called after an answer of the conversation that is no repair, unless it repeats an earlier one. */
  readonly onAnswered: () => void;
  /** Called before each candidate is judged, also one that was judged before. */
  readonly onJudged: () => void;
}

export function createProjectActors(setup: ProjectActorParts): ProjectActors {
  const { options, parts, opened, signal, inTime, context } = setup;
  const project = once(() => opened(openProject(options, signal)));
  const repair: Repair = {
    ...setup,
    project,
    chosen: once(async () => chosenFunction((await project()).parser, await project())),
    runners: createProjectRunners(project, opened, options.converses ?? false),
    model: once(async () => opened(startModel(parts, (await project()).language, setup))),
    failedLast: once(async () => lastFailures((await project()).root)),
    limit: createTimeLimit(options.time, parts.now),
  };
  const { model, runners } = repair;
  const conversations = once(async () => {
    const { startConversations } = await import('./write/conversations.ts');
    return startConversations({
      ...{ project, model, context, runner: runners.answering, fresh: runners.fresh, options },
      ...{ onTried: setup.onTried, onAnswered: setup.onAnswered },
      onPrompt: (request, text) => parts.onEvent({ kind: 'prompt', request, text }),
      onAnswer: text => parts.onEvent({ kind: 'answer', text }),
      onCall: ({ name, arguments: callArguments }) =>
        parts.onEvent({ kind: 'call', name, arguments: callArguments }),
      signal: inTime,
    });
  });
  const rounds = createRounds(repair, async () => (await conversations()).idle());
  return {
    project,
    copy: () => copyProject(repair),
    test: () => testProject(repair),
    repeat: report => repeatTests(repair, report),
    locate: input => locate(repair, input),
    search: async () => (await rounds.now()).search(context().place).actors,
    write: async () => (await conversations()).now(),
    confirm: input => confirm(repair, input, rounds.end()),
    question: input => askQuestion(repair, input),
    async judge({ changes, repairs }) {
      const opening = await project();
      return { judge: await judgeRepair(opening, changesOf(opening, changes), repairs, options) };
    },
    use: async () => (options.converses ? (await conversations()).use() : null),
    loadModel: () => void model().catch(() => {}),
    endSearch: () => runners.giveBack(rounds.end()),
  };
}

/** What the actors share; each part is made when it is first needed. */
interface Repair extends ProjectActorParts {
  readonly project: () => Promise<OpenProject>;
  /** The function that the user named; null for none. */
  readonly chosen: () => Promise<ReturnType<typeof chosenFunction>>;
  readonly runners: ProjectRunners;
  readonly model: () => Promise<StartedModel>;
  /** The tests that failed last, as the cache of the test runner says. */
  readonly failedLast: () => Promise<ReturnType<typeof lastFailures>>;
  readonly limit: TimeLimit;
}

/** The time limit, for the tests before the search. */
interface TimeLimit {
  begin(): void;
  /** Seconds, at least one. */
  left(): number;
}

function createTimeLimit(seconds: number, now: () => number): TimeLimit {
  let began: number | null = null;
  return {
    begin() {
      began = now();
    },
    left: () => Math.max(1, seconds - (began === null ? 0 : (now() - began) / 1000)),
  };
}

/** The searches for repairs, one after the other: each begins with the changes of those before. */
interface Rounds {
  /** The one of the machine's state. */
  now(): Promise<Round>;
  /** Ends it, if there is one. Returns its process that has run nothing yet. */
  end(): Runner | null;
}

/** @param isIdle resolves when the conversation runs no tests */
function createRounds(repair: Repair, isIdle: () => Promise<void>): Rounds {
  const { options, parts, runners, context, onTried, onJudged, inTime: signal } = repair;
  let current: { readonly number: number; readonly round: Round } | null = null;
  const end = (): Runner | null => {
    const fresh = current?.round.fresh ?? null;
    current?.round.end();
    current = null;
    return fresh;
  };
  return {
    async now() {
      const { tests, changes, suspects, repairs } = context();
      if (current?.number === repairs.length) return current.round;
      end();
      const { model, failed } = await repair.model();
      const input = {
        ...{ project: await repair.project(), options, parts, tests, repaired: sourcesOf(changes) },
        ...{ onTried, onJudged, timeout: options.timeout, signal },
        // The model that converses is not asked for single functions.
        ...(options.converses
          ? { model: Promise.resolve(null), failed: new AbortController().signal, turn: isIdle }
          : { model, failed }),
        runners: await runners.searching(),
        // The process that was started ahead is for the repair of the model.
        fresh: await (options.converses ? runners.another() : runners.fresh()),
      };
      current = { number: repairs.length, round: startRound(input, suspects) };
      return current.round;
    },
    end,
  };
}

async function copyProject({ project, chosen, signal }: Repair): Promise<CopiedProject> {
  const { root, runnerName: runner, isolation, warning, notes } = await project();
  await checkSources(await project(), signal);
  await chosen();
  return { root, runner, isolation, notes: [...(warning === null ? [] : [warning]), ...notes] };
}

/** A run of all tests that records the lines that each executes. */
function wholeRun({ timeout }: FixOptions) {
  return { only: null, trace: true, stop: false, seconds: timeout } as const;
}

async function testProject({ project, options, runners, limit, signal }: Repair): Promise<TestReport> {
  limit.begin();
  await runners.startSecond();
  const request = { files: new Map(), ...wholeRun(options), limit: limit.left() };
  const report = await (await runners.first()).run(request, signal);
  checkTestsRan(report, await project(), options.time);
  return report;
}

/** Runs tests again, to find those that do not give the same result. */
async function repeatTests(repair: Repair, report: TestReport): Promise<Baseline> {
  const { project, chosen, options, runners, limit, signal } = repair;
  if (failedTests(report).length > 0) await runners.startFresh();
  const limits = { seconds: options.timeout, left: limit.left };
  const flaky = await findFlaky(await runners.repeating(), report, limits, signal);
  const excess = await projectExcess(await project(), report.tests, signal);
  const all = baselineOf(report, { flaky, excess }, await project(), options);
  const others = testsOfOthers(await project(), await chosen(), all.tests);
  const tests = all.tests.filter(({ id }) => !others.includes(id));
  const first = (await lastFailing(repair, tests)) === null ? [] : [BEGAN_WITH_LAST];
  return { ...all, tests, others, notes: [...all.notes, ...first] };
}

/** The tests with only the last failures among those that fail; null to begin with all. */
async function lastFailing({ options, failedLast }: Repair, tests: readonly TestResult[]) {
  return options.lastFailures ? lastFailuresOnly(tests, await failedLast()) : null;
}

async function locate(repair: Repair, { tests, changes }: LocateInput): Promise<Located> {
  const { options, runners, limit, signal } = repair;
  const opening = await repair.project();
  const chosen = await repair.chosen();
  const repaired = sourcesOf(changes);
  const now = { ...opening, source: (path: string) => repaired.get(path) ?? opening.source(path) };
  const rank = async (results: readonly TestResult[]) => {
    const both = [(await lastFailing(repair, results)) ?? [], results].map(each =>
      projectSuspects(now, each, chosen, signal),
    );
    const all = (await Promise.all(both)).flat();
    const places = all.map(({ function: { file, headerLine } }) => `${file.path}:${headerLine}`);
    return all.filter((_, index) => places.indexOf(places[index] ?? '') === index);
  };
  const fails = failedTests({ tests }).length > 0;
  let suspects = await rank(tests);
  const isFound = suspects.some(suspect => opening.isOwn(suspect.function.file.path));
  if (!isFound && fails && opening.language === 'python') {
    // The fault may be in what runs only when modules are imported.
    const request = { ...wholeRun(options), files: bytesOf(repaired), imports: true, limit: limit.left() };
    const traced = await (await runners.first()).run(request, signal);
    const untraced = tests.map(({ lines: _, ...test }) => test);
    const imported = await rank(withLines({ tests: untraced, fault: null }, traced).tests);
    // None if the run did not end in time.
    if (imported.length > 0) suspects = imported;
  }
  return { suspects: suspects.map(suspect => suspectData(opening, suspect)) };
}

/** @param unused a process of the search that has run nothing yet */
async function confirm(
  { project, chosen, options, runners, signal }: Repair,
  input: ConfirmInput,
  unused: Runner | null,
): Promise<Confirmation> {
  let next = unused;
  const confirmed = await confirmRepair(input, await project(), async changes => {
    const runner = next ?? (await runners.fresh());
    next = null;
    const request = { ...wholeRun(options), files: bytesOf(sourcesOf(changes)) };
    // This decides even when the time is up.
    const report = await runner.run({ ...request, trace: false }, signal);
    const counted = new Set(input.tests.map(({ id }) => id));
    // Which lines a test executes takes several times as long to record, and matters only if one still fails.
    if (!failedTests(report).some(({ id }) => counted.has(id))) return report;
    return withLines(report, await runner.run(request, signal));
  });
  const { report } = confirmed;
  if (report === null || input.found.isPartial !== true || (await chosen()) === null)
    return { ...confirmed, others: [] };
  const { timeout } = options;
  const parts = { project: await project(), runner: await runners.first(), timeout, signal };
  const { failingOtherwise } = await import('./repair/other-reasons.ts');
  return { ...confirmed, others: await failingOtherwise(input, report, parts) };
}

/** Searches for other repairs that pass the tests, and asks which one is meant; the repair does not depend on it. */
async function askQuestion(repair: Repair, input: QuestionInput): Promise<AskedQuestion> {
  const { project, options, parts, runners, signal, inTime } = repair;
  const { timeout, questionTime: seconds } = options;
  const { changes, after } = input;
  const asked: AskedQuestion = {
    ...{ question: null, alternatives: [], changes, added: null },
    ...{ report: after, note: null, isEdit: false },
    mutants: await mutantsWithin(MUTANT_SECONDS, repair, input),
  };
  if (seconds === 0) return asked;
  const limited = signalWithin(seconds, inTime);
  const asking = {
    ...{ project: await project(), runners: await runners.comparing(), timeout },
    ...{ now: parts.now, seconds, signal: limited.signal },
  };
  const { findOtherRepairs, withAnswer, withEdit } = await import('./question/ask-question.ts');
  const others = await findOtherRepairs(input, asking)
    .catch((): OtherRepairs => ({ alternatives: [], asked: null, note: null, instead: null }))
    .finally(limited.release);
  signal.throwIfAborted();
  const { alternatives, instead, asked: pending, note } = others;
  const settings = async () => ({ fresh: await runners.fresh(), timeout, signal });
  const taken = instead && (await withEdit(instead, after, await settings()));
  // The others were compared with it.
  if (instead && !taken) return asked;
  const result = { ...asked, ...taken, alternatives };
  if (pending === null) return { ...result, note: asking.signal.aborted ? QUESTION_CUT_SHORT : note };
  const answer = (await parts.choose?.(pending.question)) ?? null;
  if (answer === null) return { ...result, question: pending.question };
  const now = { changes: result.changes, after: result.report };
  return { ...result, ...(await withAnswer(pending, answer, now, await settings())) };
}

/** At most this long, also when the time is up: whether a change is a repair depends on it. */
const MUTANT_SECONDS = 10;

async function mutantsWithin(
  seconds: number,
  { project, options: { timeout }, runners, signal }: Repair,
  input: QuestionInput,
): Promise<AskedQuestion['mutants']> {
  const { rejectedMutants } = await import('./question/mutants.ts');
  const limited = signalWithin(seconds, signal);
  const parts = {
    project: await project(),
    runners: await runners.comparing(),
    timeout,
    signal: limited.signal,
  };
  return await rejectedMutants(input, parts)
    .catch(() => null)
    .finally(limited.release);
}

/** @param time of the whole repair, in seconds @throws HefixError if the first run says nothing of any test */
function checkTestsRan({ tests, fault, ended }: TestReport, project: OpenProject, time: number): void {
  if (fault === LATE) throw testsTooSlow(time);
  if (ended !== undefined) throw testEndsProcess(ended);
  if (fault !== null && failedTests({ tests }).length === 0) throw testsNotCollected(fault, project.python);
  if (tests.length === 0) throw testsNone(usesDjango(project));
}

/** The tests without those that are flaky or need what the sandbox does not have, and what to say about these. */
function baselineOf(
  { tests, fault }: TestReport,
  { flaky, excess }: Record<'flaky' | 'excess', readonly string[]>,
  project: OpenProject,
  options: FixOptions,
): Omit<Baseline, 'others'> {
  const counted = tests.filter(({ id }) => !flaky.includes(id));
  const missing = missingSurroundings(counted, outsideOf(project, options));
  const elsewhere = missing.map(({ test }) => test);
  const faults = fault === null ? [] : [`Some tests could not be collected: ${fault}`];
  return {
    tests: counted.filter(({ id }) => !elsewhere.includes(id)),
    ...{ flaky, elsewhere },
    notes: [...faults, ...missingNotes(missing, passedLast(project.root)), ...excess],
  };
}

function usesDjango({ has, source }: OpenProject): boolean {
  return has('manage.py') && source('manage.py').text.includes('django');
}

/** What is there outside of the sandbox. */
function outsideOf(project: OpenProject, { env, allowNetwork }: FixOptions): Outside {
  const names = new Set(project.sources.flatMap(path => path.replace(/\.py$/, '').split('/')));
  return {
    ...{ root: project.root, env, allowNetwork, shown: project.variables },
    isOwnModule: name => names.has(name),
    has: path => existsSync(join(project.copy, path)),
    script:
      project.language === 'js' ? project.sources.map(path => project.source(path).text).join('\n') : null,
  };
}

const QUESTION_CUT_SHORT =
  'The search for other repairs that pass was cut short: with more time (--question-time), a question may come.';

const BEGAN_WITH_LAST =
  'The search began with the tests that failed last, as the cache of the test runner says.';
