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
import type { Opened } from '../core/async/close-all.ts';
import { once } from '../core/async/once.ts';
import { joinSignals } from '../core/async/signals.ts';
import type { TextModel } from '../core/ports.ts';
import { failedTests, type TestReport, type TestResult, withLines } from '../core/project-tests.ts';
import { testEndsProcess, testsNone, testsNotCollected, testsTooSlow } from './errors.ts';
import {
  chosenFunction,
  projectExcess,
  projectSuspects,
  testsOfOthers,
} from './localise/project-suspects.ts';
import { startModel } from './model/start-model.ts';
import type { FixOptions, FixParts } from './options.ts';
import { bytesOf, sourcesOf } from './patch/source-file.ts';
import { changesOf } from './patch/unified-diff.ts';
import { checkSources } from './project/check-sources.ts';
import { lastFailures, lastFailuresOnly, passedLast } from './project/last-failures.ts';
import { type OpenProject, openProject } from './project/open-project.ts';
import { missingNotes, missingSurroundings, type Outside } from './project/surroundings.ts';
import { findOtherRepairs, type OtherRepairs, withAnswer, withEdit } from './question/ask-question.ts';
import type { RewriteActors } from './repair/function-actors.ts';
import type { FunctionSearch } from './repair/function-search.ts';
import { confirmRepair, judgeRepair } from './repair/judge-repair.ts';
import { locatedIn } from './repair/located.ts';
import { type Round, startRound } from './repair/round.ts';
import type { ModelUse } from './report.ts';
import type { Runner } from './runners/runner.ts';
import { LATE } from './runners/served-runner.ts';
import { findFlaky } from './runners/unreliable-tests.ts';
import { startConversations } from './write/conversations.ts';
import type { WriterActors } from './write/writer.ts';

/** What the actors of the machine for projects compute. */
export interface ProjectActors {
  copy(): Promise<CopiedProject>;
  test(): Promise<TestReport>;
  repeat(input: TestReport): Promise<Baseline>;
  locate(input: LocateInput): Promise<Located>;
  /** The actors of the machines that search in a function, for the suspect that the machine for projects is at. */
  search(): Promise<FunctionSearch['actors']>;
  rewrite(): Promise<RewriteActors>;
  /** The actors of the conversation with a model that writes files, one for each bug. */
  write(): Promise<WriterActors>;
  confirm(input: ConfirmInput): Promise<Confirmation>;
  question(input: QuestionInput): Promise<AskedQuestion>;
  judge(input: JudgeInput): Promise<JudgedProject>;
  loadModel(): void;
  /** Ends the search for edits, once the model has repaired the project. */
  endSearch(): void;
  /** What the conversations have cost; null without any. */
  use(): ModelUse | null;
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
  /** Of the machine. */
  readonly context: () => ProjectContext;
  readonly onTried: (tried: Tried) => void;
  /** Called after an answer of the conversation that is no repair, unless it repeats an earlier one. */
  readonly onAnswered: () => void;
  /** Called before each candidate is judged, also one that was judged before. */
  readonly onJudged: () => void;
}

export function createProjectActors(given: ProjectActorParts): ProjectActors {
  const { options, parts, opened, signal, inTime, context, onTried, onAnswered, onJudged } = given;
  const project = once(() => opened(openProject(options, signal)));
  const chosen = once(async () => chosenFunction((await project()).parser, await project()));
  const runner = once(async () => opened((await project()).startRunner()));
  const second = once(async () => opened((await project()).startRunner()));
  const third = once(async () => opened((await project()).startRunner()));
  let ahead: Runner | null = null;
  /** A process that has run nothing yet. */
  const fresh = async (): Promise<Runner> => {
    const unused = ahead ?? opened((await project()).startRunner());
    ahead = null;
    return unused;
  };
  /** Pytest takes seconds to load its plugins; frameworks of JavaScript use several processors themselves. */
  const isStartedAhead = async (): Promise<boolean> => (await project()).language === 'python';
  const model = once(async () => opened(startModel(parts, (await project()).language, inTime)));
  const failedLast = once(async () => lastFailures((await project()).root));
  /** The tests with only the last failures among those that fail; null to begin with all. */
  const beginning = async (tests: readonly TestResult[]) =>
    options.lastFailures ? lastFailuresOnly(tests, await failedLast()) : null;
  const everything = { only: null, trace: true, stop: false, seconds: options.timeout } as const;
  let began = Number.NaN;
  /** Seconds of the time limit that are left for the tests before the search. */
  const left = (): number => {
    const used = Number.isNaN(began) ? 0 : (parts.now() - began) / 1000;
    return Math.max(1, options.time - used);
  };
  let current: { readonly number: number; readonly round: Round } | null = null;
  const endRound = (): Runner | null => {
    const fresh = current?.round.fresh ?? null;
    current?.round.end();
    current = null;
    return fresh;
  };
  const conversations = startConversations({
    ...{ project, model, context, runner: third, fresh, options, onTried, onAnswered },
    onPrompt: (request, text) => parts.onEvent({ kind: 'prompt', request, text }),
    onCall: ({ name, arguments: given }) => parts.onEvent({ kind: 'call', name, arguments: given }),
    signal: inTime,
  });
  const roundNow = async (): Promise<Round> => {
    const { tests, changes, suspects, repairs } = context();
    if (current?.number === repairs.length) return current.round;
    endRound();
    const opening = await model();
    const input = {
      ...{ project: await project(), options, parts, tests, repaired: sourcesOf(changes) },
      ...{ onTried, onJudged, timeout: options.timeout, signal: inTime },
      // The model that converses is not asked for single functions.
      ...(options.converses
        ? {
            model: Promise.resolve(null),
            failed: new AbortController().signal,
            turn: conversations.idle,
          }
        : { model: opening.model, failed: opening.failed }),
      runners: [await runner(), await second()],
      // The process that was started ahead is for the repair of the model.
      fresh: options.converses ? opened((await project()).startRunner()) : await fresh(),
    };
    current = { number: repairs.length, round: startRound(input, suspects) };
    return current.round;
  };

  return {
    project,
    async copy() {
      const { root, runnerName, isolation, warning, notes } = await project();
      await checkSources(await project(), signal);
      await chosen();
      return {
        root,
        runner: runnerName,
        isolation,
        notes: [...(warning === null ? [] : [warning]), ...notes],
      };
    },
    async test() {
      began = parts.now();
      if (await isStartedAhead()) (await second()).start();
      const report = await (await runner()).run({ files: new Map(), ...everything, limit: left() }, signal);
      checkTestsRan(report, await project(), options.time);
      return report;
    },
    async repeat(report) {
      const limits = { seconds: options.timeout, left };
      if (failedTests(report).length > 0 && (await isStartedAhead())) {
        ahead = await fresh();
        ahead.start();
      }
      const flaky = await findFlaky([await runner(), await second()], report, limits, signal);
      const excess = await projectExcess(await project(), report.tests, signal);
      const all = baselineOf(report, { flaky, excess }, await project(), options);
      const others = testsOfOthers(await project(), await chosen(), all.tests);
      const tests = all.tests.filter(({ id }) => !others.includes(id));
      const first = (await beginning(tests)) === null ? [] : [BEGAN_WITH_LAST];
      return { ...all, tests, others, notes: [...all.notes, ...first] };
    },
    async locate({ tests, changes }) {
      const repaired = sourcesOf(changes);
      const opening = await project();
      const now = { ...opening, source: (path: string) => repaired.get(path) ?? opening.source(path) };
      const own = await chosen();
      const rank = async (results: readonly TestResult[]) => {
        const both = [(await beginning(results)) ?? [], results].map(each =>
          projectSuspects(now, each, own, signal),
        );
        const all = (await Promise.all(both)).flat();
        const places = all.map(({ function: { file, headerLine } }) => `${file.path}:${headerLine}`);
        return all.filter((_, at) => places.indexOf(places[at] ?? '') === at);
      };
      const fails = failedTests({ tests }).length > 0;
      let suspects = await rank(tests);
      const isFound = suspects.some(suspect => opening.isOwn(suspect.function.file.path));
      if (!isFound && fails && opening.language === 'python') {
        // The fault may be in what runs only when modules are imported.
        const request = { ...everything, files: bytesOf(repaired), imports: true, limit: left() };
        const traced = await (await runner()).run(request, signal);
        const untraced = tests.map(({ lines: _, ...test }) => test);
        const imported = await rank(withLines({ tests: untraced, fault: null }, traced).tests);
        // None if the run did not end in time.
        if (imported.length > 0) suspects = imported;
      }
      const isSearched = !options.suspectsOnly && fails;
      const writes = isSearched && !options.converses && (await writesSoFar((await model()).model));
      return locatedIn(opening, suspects, tests, writes);
    },
    search: async () => (await roundNow()).search(context().place).actors,
    rewrite: async () => await (await roundNow()).rewriting(context().place),
    async confirm(input) {
      const opening = await project();
      return await confirmRepair(input, opening, async changes => {
        const unused = endRound() ?? (await fresh());
        const request = { ...everything, files: bytesOf(sourcesOf(changes)) };
        // This decides even when the time is up.
        const report = await unused.run({ ...request, trace: false }, signal);
        const counted = new Set(input.tests.map(({ id }) => id));
        // Which lines a test executes takes several times as long to record, and matters only if one still fails.
        if (!failedTests(report).some(({ id }) => counted.has(id))) return report;
        return withLines(report, await unused.run(request, signal));
      });
    },
    async question(input) {
      const { timeout, questionTime: seconds } = options;
      const { changes, after } = input;
      const asked: AskedQuestion = {
        ...{ question: null, alternatives: [], changes, added: null },
        ...{ report: after, note: null, isEdit: false },
      };
      if (seconds === 0) return asked;
      const limit = new AbortController();
      const joined = joinSignals(inTime, limit.signal);
      const timer = setTimeout(() => limit.abort(), seconds * 1000);
      const asking = {
        ...({ project: await project(), runners: [await runner(), await second()], timeout } as const),
        ...{ now: parts.now, seconds, signal: joined.signal },
      };
      // The repair does not depend on it.
      const others = await findOtherRepairs(input, asking)
        .catch((): OtherRepairs => ({ alternatives: [], asked: null, note: null, instead: null }))
        .finally(() => {
          clearTimeout(timer);
          joined.release();
        });
      signal.throwIfAborted();
      const { alternatives, instead, asked: found, note } = others;
      const taken = instead && (await withEdit(instead, after, { fresh: await fresh(), timeout, signal }));
      // The others were compared with it.
      if (instead && !taken) return asked;
      const result = { ...asked, ...taken, alternatives };
      if (found === null) return { ...result, note: asking.signal.aborted ? QUESTION_CUT_SHORT : note };
      const at = (await parts.choose?.(found.question)) ?? null;
      if (at === null) return { ...result, question: found.question };
      const now = { changes: result.changes, after: result.report };
      return { ...result, ...(await withAnswer(found, at, now, { fresh: await fresh(), timeout, signal })) };
    },
    async judge({ changes, repairs }) {
      const opening = await project();
      return { judge: await judgeRepair(opening, changesOf(opening, changes), repairs, options) };
    },
    write: conversations.now,
    use: conversations.use,
    loadModel: () => void model().catch(() => {}),
    endSearch() {
      ahead ??= endRound();
    },
  };
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

/** Whether a model writes whole functions, as far as it has been opened. */
async function writesSoFar(opening: Promise<TextModel | null>): Promise<boolean> {
  const model = await Promise.race([opening, null]);
  return model !== null && model.answer !== 'edit';
}

const QUESTION_CUT_SHORT =
  'The search for other repairs that pass was cut short: with more time (--question-time), a question may come.';

const BEGAN_WITH_LAST =
  'The search began with the tests that failed last, as the cache of the test runner says.';
