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
  /** Runs all tests with all changes, in a separate process. */
  readonly after: TestReport;
};

/** Repairs one function after another until no test fails, none can be repaired, or the time is up. */
export async function repairProject(input: RepairInput): Promise<RepairOutcome> {
  const { project, parser, options, parts, runner, signal, chosen } = input;
  const state: RepairState = { repaired: new Map(), tried: 0, best: null };
  const repairs: Repair[] = [];
  let { tests, suspects } = input;
  const { model, failed } = input.model;
  const joined = joinSignals(signal, failed);
  const last = project.startRunner();
  const search = closingAll(async opened => {
    const second = opened(project.startRunner());
    while (failedTests({ tests }).length > 0) {
      const round = { ...input, tests, suspects, model, state, runners: [runner, second] };
      const found: Found | null = await repairRound({ ...round, signal: joined.signal });
      if (found === null) break;
      state.repaired.set(found.file.path, found.file);
      repairs.push(found.repair);
      state.best = null;
      parts.onEvent({ kind: 'repaired', repair: found.repair });
      // Its start takes most of the time that the last run of the tests takes.
      last.start();
      const files = bytesOf(state.repaired);
      const everything = { files, only: null, trace: true, stop: false, seconds: options.timeout };
      const known = new Set(tests.map(({ id }) => id));
      tests = (await runner.run(everything, signal)).tests.filter(({ id }) => known.has(id));
      const now = { ...project, source: (path: string) => state.repaired.get(path) ?? project.source(path) };
      suspects = projectSuspects(parser, now, tests, chosen);
    }
  });
  await search
    .catch(async error => {
      if (signal.aborted) return;
      await last.close();
      throw failed.aborted ? failed.reason : error;
    })
    .finally(joined.release);
  const confirmed = await confirm(input, last, state.repaired).finally(last.close);
  const { tried, best } = state;
  return {
    repairs: confirmed ? repairs : [],
    changes: confirmed ? changesOf(project, state.repaired) : [],
    after: confirmed ?? { tests: [...input.tests], fault: null },
    tried,
    best,
    timeUp: signal.aborted,
  };
}

/**
 * Runs all tests once more, in a process that has run nothing else. Null if there is nothing to run, or if a
 * test that passed before fails. This decides even when the time is up.
 */
async function confirm(
  { options, tests }: RepairInput,
  runner: Runner,
  repaired: ReadonlyMap<string, SourceFile>,
): Promise<TestReport | null> {
  if (repaired.size === 0) return null;
  const everything = { only: null, trace: false, stop: false, seconds: options.timeout };
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
