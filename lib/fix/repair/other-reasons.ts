import type { ConfirmInput } from '../../../machines/project-actors.ts';
import { failedTests, type TestReport, type TestResult } from '../../core/project-tests.ts';
import { noFacts } from '../../repair/operators/facts.ts';
import { bytesOf, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from '../runners/runner.ts';
import { functionEdits } from './function-edits.ts';
import { functionTask } from './function-task.ts';
import { suspectIn } from './suspect-change.ts';
import { fileOf } from './tests-decide.ts';
import { goalsOf } from './trial.ts';

export interface OtherReasonParts {
  readonly project: OpenProject;
  readonly runner: Runner;
  /** Seconds of one test. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Versions of the function that are run, and how many of them must leave a failure as it is. */
const MAX_VERSIONS = 12;
const MIN_SAME = 3;

/**
 * Of the tests that execute a function and still fail with the best candidate for it, those that fail for another reason:
 * they fail as before with this candidate and with several other versions of the function, and no version changes what
 * the failing statement sees. A version may make a test fail at another statement, for example one that checks the
 * function itself. Returns their ids.
 * @param report of all tests, with the candidate
 */
export async function failingOtherwise(
  { tests, changes: before, suspect, found }: ConfirmInput,
  report: TestReport,
  { project, runner, timeout, signal }: OtherReasonParts,
): Promise<string[]> {
  const { parser, language } = project;
  const located = suspectIn({ project, repaired: sourcesOf(before) }, suspect);
  const { function: suspectFunction, lines } = located;
  const { failing } = goalsOf(tests, [suspectFunction]);
  const failures = new Map(failedTests({ tests }).map(test => [test.id, failureOf(test)]));
  const isAsBefore = (test: TestResult): boolean => {
    const [was, now] = [failures.get(test.id), failureOf(test)];
    return was !== undefined && was.place !== null && was.place === now.place && was.says === now.says;
  };
  const left = failedTests(report).filter(test => failing.has(test.id) && isAsBefore(test));
  if (left.length === 0) return [];
  const task = functionTask(parser, language, suspectFunction.file.text, suspectFunction);
  const edits = functionEdits(task, lines, { parser, signal, failures: noFacts });
  const codes = await edits.upTo(MAX_VERSIONS).finally(edits.close);
  const same = new Map(left.map(({ id }) => [id, 0]));
  for (const code of codes.slice(0, MAX_VERSIONS)) {
    const file = code === found.code ? null : fileOf(task, code, suspectFunction.file);
    if (file === null || same.size === 0) continue;
    const files = new Map([...bytesOf(sourcesOf(before)), [file.path, file.bytes]]);
    const request = { files, only: [...same.keys()], trace: false, stop: false, seconds: timeout };
    const { tests: now, fault } = await runner.run(request, signal);
    if (fault !== null) continue;
    for (const test of now) {
      const count = same.get(test.id);
      if (count === undefined) continue;
      if (isAsBefore(test)) same.set(test.id, count + 1);
      else if (test.outcome === 'passed' || failureOf(test).place === failures.get(test.id)?.place)
        same.delete(test.id);
    }
  }
  return [...same].flatMap(([id, count]) => (count >= MIN_SAME ? [id] : []));
}

/** Where a test fails, and what it sees there. */
function failureOf({ type = '', message = '', actual, expected, test, frames = [] }: TestResult): {
  readonly place: string | null;
  readonly says: string;
} {
  const [first] = frames;
  const line = test?.line ?? first?.[1];
  return {
    place: line === undefined ? null : `${first?.[0] ?? ''}:${line}`,
    says: JSON.stringify([type, message, actual, expected]),
  };
}
