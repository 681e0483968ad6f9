import { closingAll } from '../../core/close-all.ts';
import { joinSignals } from '../../core/join-signals.ts';
import { projectSuspects } from '../localise/project-suspects.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { FileChange } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { FixReport, Repair } from '../report.ts';
import { failedTests, type Runner, type TestReport } from '../runners/runner.ts';
import type { Found } from './function-search.ts';
import { repairRound } from './repair-round.ts';
import { bytesOf, type RepairInput, type RepairState } from './repair-state.ts';
import { keepsPassing } from './trial.ts';

export type RepairOutcome = Pick<FixReport, 'repairs' | 'tried' | 'best' | 'timeUp' | 'changes'> & {
  /** All tests with all changes, in a process that has run nothing else. */
  readonly after: TestReport;
};

/** Repairs one function after another until no test fails, none can be repaired, or the time is up. */
export async function repairProject(input: RepairInput): Promise<RepairOutcome> {
  const { project, parser, parts, runner, signal, chosen } = input;
  const state: RepairState = { repaired: new Map(), tried: 0, best: null };
  const repairs: Repair[] = [];
  let { tests, suspects } = input;
  let after: TestReport = { tests: [...tests], fault: null };
  const { model, failed } = input.model;
  const joined = joinSignals(signal, failed);
  const search = closingAll(async opened => {
    const second = opened(project.startRunner());
    while (failedTests({ tests }).length > 0) {
      const fresh = opened(project.startRunner());
      const round = { ...input, tests, suspects, model, state, fresh, runners: [runner, second] };
      const found: Found | null = await repairRound({ ...round, signal: joined.signal });
      const files = found && new Map([...state.repaired, [found.file.path, found.file]]);
      const report = files && (await confirm({ ...input, tests }, fresh, files));
      if (!found || !report) break;
      after = report;
      state.repaired.set(found.file.path, found.file);
      repairs.push(found.repair);
      state.best = null;
      parts.onEvent({ kind: 'repaired', repair: found.repair });
      const known = new Set(tests.map(({ id }) => id));
      tests = report.tests.filter(({ id }) => known.has(id));
      const now = { ...project, source: (path: string) => state.repaired.get(path) ?? project.source(path) };
      suspects = projectSuspects(parser, now, tests, chosen);
    }
  });
  await search
    .catch(error => {
      if (!signal.aborted) throw failed.aborted ? failed.reason : error;
    })
    .finally(joined.release);
  const { tried, best } = state;
  const changes = changesOf(project, state.repaired);
  return { repairs, changes, after, tried, best, timeUp: signal.aborted };
}

/**
 * Runs all tests in a process that has run nothing else. Null if a test that passed before fails, or no failing one
 * passes. This decides even when the time is up.
 */
async function confirm(
  { options, tests }: RepairInput,
  runner: Runner,
  repaired: ReadonlyMap<string, SourceFile>,
): Promise<TestReport | null> {
  const everything = { only: null, trace: true, stop: false, seconds: options.timeout };
  const request = { ...everything, files: bytesOf(repaired) };
  const report = await runner.run(request, new AbortController().signal);
  const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const failed = failedTests({ tests }).length;
  const better =
    report.tests.length >= tests.length &&
    failedTests(report).length < failed + report.tests.length - tests.length;
  return keepsPassing(report, passing) && better ? report : null;
}

function changesOf(project: OpenProject, repaired: ReadonlyMap<string, SourceFile>): FileChange[] {
  return [...repaired].map(([path, { bytes }]) => ({ file: project.source(path), after: bytes }));
}
