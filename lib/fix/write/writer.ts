import type { ChangedFile, Repair } from '../../../machines/project-actors.ts';
import type {
  Asked,
  AskInput,
  AttemptResult,
  ReduceInput,
  TryInput,
  WrittenAttempt,
  WrittenRepair,
} from '../../../machines/writer-actors.ts';
import { failedTests, type TestReport, type TestResult } from '../../core/project-tests.ts';
import { constantsIn } from '../localise/constants.ts';
import { functionsByLine, functionsIn, type ProjectFunction } from '../localise/functions.ts';
import { bytesOf, changedFile, type SourceFile, sourcesOf } from '../patch/source-file.ts';
import { sourceBefore } from '../project/new-files.ts';
import type { OpenProject } from '../project/open-project.ts';
import { keepsPassing, limitsFor, passedOf } from '../repair/trial.ts';
import type { Runner } from '../runners/runner.ts';
import { type AnswerEdit, readModelAnswer } from './answer-edits.ts';
import { applyEdits, type EditedProject } from './apply-edits.ts';
import { type AskParts, createAsk } from './ask-model.ts';
import { functionNow, functionToWrite } from './function-prompt.ts';
import { onlyFunction } from './only-function.ts';
import { hunksOf, reduceChange } from './reduce-change.ts';

export interface WriterParts extends AskParts {
  readonly runner: () => Promise<Runner>;
  /** A process that has run nothing yet. */
  readonly fresh: () => Promise<Runner>;
  readonly onTried: () => void;
  /** Called after an answer that is no repair, unless it repeats an earlier one. */
  readonly onAnswered: () => void;
}

/** The actors of the machine `writer`. */
export interface WriterActors {
  /** @param stop aborts the request */
  ask(input: AskInput, stop: AbortSignal): Promise<Asked | null>;
  try(input: TryInput): Promise<WrittenAttempt>;
  reduce(input: ReduceInput): Promise<WrittenRepair | null>;
}

/** Limit on a run of the failing tests: the time of this many tests that use up theirs. */
const WHOLE_RUN = 20;

export function createWriter(parts: WriterParts): WriterActors {
  const { project, options, suspects } = parts;
  const sourceWith = (changes: readonly ChangedFile[]) => {
    const changed = sourcesOf(changes);
    return (path: string): SourceFile => changed.get(path) ?? sourceBefore(project, path);
  };

  const edited = (
    edits: readonly AnswerEdit[],
    changes: readonly ChangedFile[],
    whole: ProjectFunction | null,
  ) => applyEdits(withAdded(project, changes, sourceWith(changes)), edits, whole);
  const changedWith = (files: ReadonlyMap<string, SourceFile>, changes: readonly ChangedFile[]) => [
    ...changes.filter(({ path }) => !files.has(path)),
    ...[...files.values()].map(changedFile),
  ];

  const ask = createAsk(parts, ({ tests, changes }) => ({
    source: sourceWith(changes),
    async run(edits, ids) {
      const { files, problems } = edited(readModelAnswer(edits).edits, changes, null);
      const isRun = problems.length === 0;
      return { problems, report: isRun ? await run(changedWith(files, changes), ids, tests) : NO_REPORT };
    },
  }));

  return {
    ask,

    async try({ asked, attempts, tests, changes }) {
      const { wanted, edits } = readModelAnswer(asked.completion);
      const whole = functionToWrite(suspects, attempts);
      const source = sourceWith(changes);
      const { files, problems } = edited(
        edits,
        changes,
        whole && functionNow({ project, source }, whole.suspect),
      );
      const changed = changedWith(files, changes);
      const attempt = { ...asked, wanted, problems, changes: files.size > 0 ? changed : [] };
      const same = attempts.find(each => each.changes.length > 0 && isSame(each.changes, attempt.changes));
      if (same) return { ...attempt, repeated: true, result: same.result };
      // What an earlier answer set would be there.
      const hasRun = attempts.some(each => each.result !== null);
      const runner = await parts.runner();
      if (hasRun && !runner.separates) await runner.close();
      const result = files.size > 0 ? await resultOf(attempt.changes, tests) : null;
      if (result) parts.onTried();
      const isRepair = result !== null && result.passed === result.of && result.broken.length === 0;
      if (!isRepair) parts.onAnswered();
      return { ...attempt, repeated: false, result };
    },

    async reduce({ attempt, tests, changes }) {
      const source = sourceWith(changes);
      const newChanges = attempt.changes.filter(
        ({ path, content }) => source(path).bytes.toString('base64') !== content,
      );
      const oldChanges = attempt.changes.filter(each => !newChanges.includes(each));
      const goal = attempt.result?.passed ?? 0;
      const failing = failedTests({ tests }).map(({ id }) => id);
      const passes = async (smaller: readonly ChangedFile[]): Promise<boolean> => {
        const report = await run([...oldChanges, ...smaller], failing, tests);
        return passedOf(report, new Set(failing)).length >= goal;
      };
      const reduced = await reduceChange(newChanges, source, passes);
      // A process that has run nothing takes longer to start than the tests to find out here that they need a hunk.
      const isEnough =
        reduced !== newChanges && isBetter(await run([...oldChanges, ...reduced], null, tests), tests);
      for (const version of isEnough ? [reduced, newChanges] : [newChanges]) {
        const all = [...oldChanges, ...version];
        const report = await (await parts.fresh()).run(requestFor(all, null, options.timeout), parts.signal);
        if (isBetter(report, tests)) {
          const repaired = repairsIn(project, version, source);
          return {
            changes: all,
            repaired,
            report,
            version: onlyFunction(project, version, repaired, source),
          };
        }
      }
      return null;
    },
  };

  /** @param isNew whether it is the first run of an answer, which may be one that never ends */
  async function run(
    changes: readonly ChangedFile[],
    only: readonly string[] | null,
    tests: readonly TestResult[],
    isNew = false,
  ): Promise<TestReport> {
    const { cpuSeconds } = limitsFor(tests, options.timeout);
    // An answer is dear, and a busy system slow: only a test that never ends may fail for its time.
    const limit = options.timeout * WHOLE_RUN;
    const limits = (only || isNew) && { cpuSeconds, limit };
    const request = { ...requestFor(changes, only, options.timeout), ...limits, apart: isNew };
    return await (await parts.runner()).run(request, parts.signal);
  }

  async function resultOf(
    changes: readonly ChangedFile[],
    tests: readonly TestResult[],
  ): Promise<AttemptResult> {
    const failing = failedTests({ tests }).map(({ id }) => id);
    const passing = tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    const isTogether = project.language === 'js' && secondsOfOthers(tests) < QUICK_SECONDS;
    const first = await run(changes, isTogether ? null : failing, tests, true);
    const some = (isTogether || first.fault === null) && passedOf(first, new Set(failing)).length > 0;
    const report = some && !isTogether ? await run(changes, null, tests) : first;
    const passed = new Set(passedOf(report, new Set([...failing, ...passing])));
    const untold = (id: string): TestResult => ({ id, outcome: 'failed', message: 'it was not run' });
    const failed = new Map(failedTests(report).map(test => [test.id, withoutLines(test)]));
    const missing = (ids: readonly string[]) =>
      ids.filter(id => !passed.has(id)).map(id => failed.get(id) ?? untold(id));
    const broken = passing.filter(id => !passed.has(id));
    // A test may fail by chance, or for a deadline on a busy system; the repair is confirmed with all tests.
    if (failing.every(id => passed.has(id)) && broken.length > 0 && report.fault === null)
      for (const id of passedOf(await run(changes, broken, tests), new Set(broken))) passed.add(id);
    return {
      passed: failing.filter(id => passed.has(id)).length,
      of: failing.length,
      broken: some ? missing(passing) : [],
      failing: missing(failing),
      fault: report.tests.length === 0 ? report.fault : null,
    };
  }
}

/** Starting a run of JavaScript's tests takes as long as so many seconds of tests. */
const QUICK_SECONDS = 2;
/** Of loading a file of tests. */
const LOAD_SECONDS = 0.5;

/** About how much longer all tests take than those that fail. */
function secondsOfOthers(tests: readonly TestResult[]): number {
  const fileOf = ({ id }: TestResult) => id.split(' > ')[0];
  const files = new Set(failedTests({ tests }).map(fileOf));
  const passing = tests.filter(({ outcome }) => outcome === 'passed');
  const others = new Set(passing.map(fileOf).filter(file => !files.has(file)));
  return passing.reduce((sum, { seconds = 0 }) => sum + seconds, others.size * LOAD_SECONDS);
}

/** The functions and constants that a change is in; the first file's module, if it is in none. */
function repairsIn(
  { parser }: OpenProject,
  changes: readonly ChangedFile[],
  source: (path: string) => SourceFile,
): Repair[] {
  const touched = [...sourcesOf(changes).values()].flatMap(after => {
    const file = source(after.path);
    const functionAt = functionsByLine(functionsIn(parser, file));
    const constantAt = functionsByLine(constantsIn(parser, file));
    return hunksOf(file.path, file.text, after.text).flatMap(({ start, removed }) => {
      const lines = Array.from({ length: Math.max(1, removed.length) }, (_, index) => start + 1 + index);
      const definitions = lines.map(line => functionAt(line) ?? constantAt(line));
      const [first] = definitions.filter(each => each !== null);
      return first ? [first] : [];
    });
  });
  const places = [...new Map(touched.map(each => [`${each.file.path}:${each.headerLine}`, each])).values()];
  const named = places.map(
    ({ kind, file, qualified, headerLine }): Repair => ({
      ...{ kind, file: file.path, function: qualified, line: headerLine, origin: 'sample' },
    }),
  );
  const [change] = changes;
  if (named.length > 0 || !change) return named;
  return [{ kind: 'constant', file: change.path, function: 'module', line: 1, origin: 'sample' }];
}

const NO_REPORT: TestReport = { tests: [], fault: null };

function requestFor(changes: readonly ChangedFile[], only: readonly string[] | null, seconds: number) {
  return { files: bytesOf(sourcesOf(changes)), only, trace: false, stop: false, seconds };
}

/** Whether fewer tests fail, and all that passed still do. */
function isBetter(report: TestReport, tests: readonly TestResult[]): boolean {
  const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const ids = new Set(tests.map(({ id }) => id));
  const failed = failedTests(report).filter(({ id }) => ids.has(id));
  return (
    keepsPassing(report, passing) &&
    report.tests.length >= tests.length &&
    failed.length < failedTests({ tests }).length
  );
}

/** The project with files that earlier repairs added. */
function withAdded(
  project: OpenProject,
  changes: readonly ChangedFile[],
  source: (path: string) => SourceFile,
): EditedProject {
  const added = changes.map(({ path }) => path).filter(path => !project.has(path));
  return {
    ...{ ...project, source },
    has: path => project.has(path) || added.includes(path),
    sources: [...project.sources, ...added],
  };
}

function isSame(one: readonly ChangedFile[], other: readonly ChangedFile[]): boolean {
  const textOf = (changes: readonly ChangedFile[]) =>
    changes
      .map(({ path, content }) => `${path}\0${content}`)
      .toSorted()
      .join('\0');
  return textOf(one) === textOf(other);
}

function withoutLines({ lines: _, ...test }: TestResult): TestResult {
  return test;
}
