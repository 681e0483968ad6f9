import type { ChangedFile, Confirmation, ConfirmInput, Repair } from '../../../machines/project-actors.ts';
import { failedTests, type TestReport } from '../../core/project-tests.ts';
import type { OpenProject } from '../project/open-project.ts';
import { changesOfEach, changesWith } from './suspect-change.ts';
import { keepsPassing } from './trial.ts';

/**
 * Runs all tests with a repair. If it changes two functions, and the change of one is enough, only that one is kept.
 * @param run runs all tests in a process that has run nothing else
 */
export async function confirmRepair(
  { tests, suspect, found, changes: before }: ConfirmInput,
  project: OpenProject,
  run: (changes: readonly ChangedFile[]) => Promise<TestReport>,
): Promise<Confirmation> {
  const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const failed = failedTests({ tests }).length;
  const confirmed = async (changes: readonly ChangedFile[]): Promise<TestReport | null> => {
    const report = await run(changes);
    const isBetter =
      report.tests.length >= tests.length &&
      failedTests(report).length < failed + report.tests.length - tests.length;
    return keepsPassing(report, passing) && isBetter ? report : null;
  };
  const change = { changes: before, suspect, found };
  const changes = changesWith(project, change);
  const report = await confirmed(changes);
  const each = report ? changesOfEach(project, change) : [];
  for (const part of each) {
    const alone = each.length === 1 ? report : await confirmed(part.changes);
    const isEnough = report && alone && failedTests(alone).length <= failedTests(report).length;
    if (isEnough) return { report: alone, changes: part.changes, repaired: [placeOf(part.suspect)] };
  }
  const { partner } = suspect;
  const repaired = [suspect, ...(partner ? [{ ...suspect, ...partner }] : [])].map(placeOf);
  return { report, changes, repaired };
}

function placeOf({ file, function: name, line }: ConfirmInput['suspect']): Omit<Repair, 'origin'> {
  return { file, function: name, line };
}
