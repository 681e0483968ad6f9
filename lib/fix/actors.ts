import type {
  Baseline,
  Confirmation,
  ConfirmInput,
  CopiedProject,
  JudgedProject,
  JudgeInput,
  LocateInput,
  RewriteInput,
  SearchInput,
  SearchResult,
  Suspect,
} from '../../machines/project-actors.ts';
import type { Opened } from '../core/close-all.ts';
import { testsNone, testsNotCollected } from '../core/errors.ts';
import { failedTests, type TestReport } from '../core/project-tests.ts';
import { chosenFunction, projectSuspects } from './localise/project-suspects.ts';
import type { FixOptions, FixParts } from './options.ts';
import { bytesOf, sourcesOf } from './patch/source-file.ts';
import { changesOf } from './patch/unified-diff.ts';
import { checkSources } from './project/check-sources.ts';
import { type OpenProject, openProject } from './project/open-project.ts';
import type { FunctionSearch } from './repair/function-search.ts';
import { judgeRepair } from './repair/judge-repair.ts';
import { type Round, searchWith, startRound } from './repair/round.ts';
import { type StartedModel, startModel } from './repair/start-model.ts';
import { keepsPassing } from './repair/trial.ts';
import { findFlaky } from './runners/flaky.ts';
import { networkNote, networkTests } from './runners/network.ts';
import type { Runner } from './runners/runner.ts';

/** What the actors of the machine for projects compute. */
export interface ProjectActors {
  copy(): Promise<CopiedProject>;
  test(): Promise<TestReport>;
  repeat(input: TestReport): Promise<Baseline>;
  locate(input: LocateInput): Promise<readonly Suspect[]>;
  search(input: SearchInput): Promise<SearchResult>;
  rewrite(input: RewriteInput): Promise<SearchResult>;
  confirm(input: ConfirmInput): Promise<Confirmation>;
  judge(input: JudgeInput): Promise<JudgedProject>;
  loadModel(): void;
  /** The copied project. @throws HefixError if it cannot be opened */
  project(): Promise<OpenProject>;
}

export interface ProjectActorParts {
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** Whatever is opened is closed by the caller. */
  readonly opened: Opened;
  readonly signal: AbortSignal;
  /** Also aborts when the time is up, which ends the search; what comes before and after it finishes. */
  readonly inTime: AbortSignal;
}

export function createProjectActors(given: ProjectActorParts): ProjectActors {
  const { options, parts, opened, signal, inTime } = given;
  const project = once(async () => opened(await openProject(options)));
  const chosen = once(async () => chosenFunction((await project()).parser, await project()));
  const runner = once(async () => opened((await project()).startRunner()));
  const second = once(async () => opened((await project()).startRunner()));
  const model = once(async () => opened(startModel(parts, (await project()).language, inTime)));
  const everything = { only: null, trace: true, stop: false, seconds: options.timeout } as const;
  let current: { readonly number: number; readonly round: Round } | null = null;
  const endRound = (): Runner | null => {
    const fresh = current?.round.fresh ?? null;
    current?.round.end();
    current = null;
    return fresh;
  };
  const roundOf = async (input: SearchInput, { model: opening, failed }: StartedModel): Promise<Round> => {
    if (current?.number === input.round) return current.round;
    endRound();
    const { tests, changes, suspects, tried, best } = input;
    const round = startRound(
      {
        ...{ project: await project(), options, parts, tests, model: opening, repaired: sourcesOf(changes) },
        ...{ signal: inTime, failed },
        runners: [await runner(), await second()],
        fresh: opened((await project()).startRunner()),
        counts: { tried, best },
      },
      suspects,
    );
    current = { number: input.round, round };
    return round;
  };

  /** Searches in one function; what is found in time counts. */
  const searching = async (
    input: SearchInput,
    work: (search: FunctionSearch, round: Round) => Promise<SearchResult['found']>,
  ): Promise<SearchResult> => {
    const started = await model();
    const round = await roundOf(input, started);
    const search = round.search(input.place);
    const found = await work(search, round).catch(error => {
      if (inTime.aborted) return null;
      throw started.failed.aborted ? started.failed.reason : error;
    });
    if (started.failed.aborted && found === null && !inTime.aborted) throw started.failed.reason;
    const isTimeUp = inTime.aborted && found === null;
    const isWritten = !isTimeUp && (await search.isWritten());
    return { found, progress: search.progress(), isWritten, ...round.counts, isTimeUp };
  };

  return {
    project,
    async copy() {
      const { root, runnerName, isolation, warning, notes } = await project();
      await checkSources(await project());
      await chosen();
      return {
        root,
        runner: runnerName,
        isolation,
        notes: [...(warning === null ? [] : [warning]), ...notes],
      };
    },
    async test() {
      const report = await (await runner()).run({ files: new Map(), ...everything }, signal);
      if (report.fault !== null && failedTests(report).length === 0) throw testsNotCollected(report.fault);
      if (report.tests.length === 0) throw testsNone();
      return report;
    },
    async repeat(report) {
      const flaky = await findFlaky(await runner(), report, options.timeout, signal);
      const offline = options.allowNetwork ? [] : networkTests(report.tests);
      const tests = report.tests.filter(({ id }) => !flaky.includes(id) && !offline.includes(id));
      const fault = report.fault === null ? [] : [`Some tests could not be collected: ${report.fault}`];
      return { tests, flaky, notes: [...fault, ...networkNote(offline)], isOffline: offline.length > 0 };
    },
    async locate({ tests, changes }) {
      const repaired = sourcesOf(changes);
      const opening = await project();
      const now = { ...opening, source: (path: string) => repaired.get(path) ?? opening.source(path) };
      return projectSuspects(opening.parser, now, tests, await chosen()).map(suspect => ({
        file: suspect.function.file.path,
        function: suspect.function.qualified,
        line: suspect.function.headerLine,
        suspicion: suspect.suspicion,
        lines: [...suspect.lines],
      }));
    },
    search: input =>
      searching(input, async (search, round) => {
        if (input.effort !== 'pairs') round.prepare(input.place + 1);
        return await searchWith(search, input.effort);
      }),
    rewrite: async input => ({
      ...(await searching(input, search => search.rewrite(input.iterations))),
      isWritten: false,
    }),
    async confirm({ tests, changes }) {
      const fresh = endRound() ?? opened((await project()).startRunner());
      // This decides even when the time is up.
      const request = { ...everything, files: bytesOf(sourcesOf(changes)) };
      const report = await fresh.run(request, signal);
      const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
      const failed = failedTests({ tests }).length;
      const isBetter =
        report.tests.length >= tests.length &&
        failedTests(report).length < failed + report.tests.length - tests.length;
      return { report: keepsPassing(report, passing) && isBetter ? report : null };
    },
    async judge({ changes, repairs }) {
      const opening = await project();
      return { judge: await judgeRepair(opening, changesOf(opening.source, changes), repairs, options) };
    },
    loadModel: () => void model().catch(() => {}),
  };
}

function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
