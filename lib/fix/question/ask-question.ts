import type {
  AskedQuestion,
  ChangedFile,
  Other,
  QuestionInput,
  RepairQuestion,
} from '../../../machines/project-actors.ts';
import { behavioursOf, type Question, questionAbout } from '../../behaviour/question.ts';
import { failedTests, type TestReport } from '../../core/project-tests.ts';
import { executes, functionsIn, type ProjectFunction } from '../localise/functions.ts';
import { bytesOf, changedFile, sourcesOf } from '../patch/source-file.ts';
import { changesOf, unifiedDiff } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask, versionOf } from '../repair/function-task.ts';
import { createCandidateJudge, IN_FLIGHT } from '../repair/judge-candidate.ts';
import { changesWith, suspectIn } from '../repair/suspect-change.ts';
import { goalsOf, keepsPassing, limitsFor } from '../repair/trial.ts';
import type { Runner } from '../runners/runner.ts';
import { placedTest, testPlace, withTest } from './added-test.ts';
import { isComparable, observeRepairs } from './observe-repairs.ts';

export interface AskParts {
  readonly project: OpenProject;
  readonly runners: readonly [Runner, Runner];
  /** Seconds. */
  readonly timeout: number;
  readonly now: () => number;
  /** The time for the question; the signal aborts when it is up. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** Number of repairs that are compared. */
const MAX_REPAIRS = 12;
/** The share of the time in which other repairs are looked for, and how many candidates are tried at least. */
const GATHERING = 1 / 5;
const MIN_TRIED = 8;

/** A question about the repairs that pass, and the files of each of its answers. */
export interface FoundQuestion {
  readonly question: RepairQuestion;
  readonly files: readonly AnswerFiles[];
}

interface AnswerFiles {
  readonly changes: readonly ChangedFile[];
  /** The file with the test of the answer, which may be one of the changed files; null if there is none. */
  readonly test: ChangedFile | null;
}

/** Other repairs that pass all tests. */
export interface OtherRepairs {
  /** Unified diffs, the likeliest first; none if no difference between them and the repair was found. */
  readonly alternatives: readonly string[];
  /** Null if no input was found that tells them apart. */
  readonly asked: FoundQuestion | null;
  /** Says that they do the same as the repair, and with how many inputs that was tried. */
  readonly note: string | null;
}

/** Looks for repairs that pass as well, and for an input that tells them apart. The repair itself stays what it is. */
export async function findOtherRepairs(input: QuestionInput, parts: AskParts): Promise<OtherRepairs> {
  const { suspect, found, changes } = input;
  const { project } = parts;
  const { function: own } = suspectIn({ project, repaired: new Map() }, suspect);
  const repairs = await gathered(input, own, parts);
  const changesFor = ({ at, version }: PassingRepair): readonly ChangedFile[] =>
    at === -1
      ? changes
      : changesWith(project, { changes: [], suspect, found: { place: found.place, ...version } });
  const others = repairs.filter(({ at }) => at !== -1);
  const alternatives = others.map(each => diffOf(project, changesFor(each)));
  // A constant is not called.
  const isAsked = others.length > 0 && own.kind === 'function' && isComparable(own);
  if (!isAsked) return { alternatives, asked: null, note: null };
  // Without a question, the others remain.
  const asked = await questionAmong(repairs, changesFor, own, input, parts).catch(() => null);
  if (asked === null || typeof asked === 'object') return { alternatives, asked, note: null };
  return { alternatives: [], asked: null, note: doTheSame(others.length, asked) };
}

function doTheSame(others: number, inputs: number): string {
  const which = others === 1 ? 'One other change passes' : `${others} other changes pass`;
  return `${which} all tests too. With ${inputs} inputs, at boundaries and like those of the tests, none behaves differently.`;
}

/** Fewer inputs are too few to say that versions do the same. */
const MIN_INPUTS = 20;

/** A version of the function that passes all tests. */
interface PassingRepair {
  /** Its place among the others; -1 for the repair itself. */
  readonly at: number;
  readonly version: Pick<Other, 'code' | 'origin'>;
  readonly code: string;
}

/** The repair, and those of the others that pass, as far as there is time to try them; the likeliest first. */
async function gathered(
  { tests, found, others }: QuestionInput,
  own: ProjectFunction,
  { project, runners, timeout, signal, now, seconds }: AskParts,
): Promise<PassingRepair[]> {
  const functionAsTask = functionTask(project.parser, project.language, own.file.text, own);
  const codeOf = (version: PassingRepair['version']) => versionOf(functionAsTask, version);
  const first = codeOf(found);
  if (first === null) return [];
  const [runner] = runners;
  const ignored = { fresh: runner, onTried: () => {}, onJudged: () => {} };
  const judge = createCandidateJudge(
    { timeout, signal, tests, repaired: new Map(), runners, ...ignored },
    found.place,
    [own],
    functionAsTask,
    own.file,
  );
  const codes = new Set([first]);
  const passing: PassingRepair[] = [{ at: -1, version: found, code: first }];
  const queue = others.entries();
  const end = now() + seconds * 1000 * GATHERING;
  let tried = 0;
  const gather = async (worker: number): Promise<void> => {
    for (const [at, { passes, ...version }] of queue) {
      if (passing.length >= MAX_REPAIRS) return;
      const code = codeOf(version);
      if (code === null || codes.has(code)) continue;
      codes.add(code);
      if (!passes && tried >= MIN_TRIED && now() > end) return;
      if (!passes) tried++;
      if (passes || (await judge({ origin: version.origin, code }, worker)).isRepair)
        passing.push({ at, version, code });
    }
  };
  const workers = Array.from({ length: runners.length * IN_FLIGHT }, (_, worker) => gather(worker));
  // When the time is up, those that have passed remain.
  await Promise.all(workers).catch(error => {
    if (!signal.aborted) throw error;
  });
  return passing.toSorted((a, b) => a.at - b.at);
}

/**
 * An input on which the repairs differ, and what each of them does; the number of inputs if they do the same with all;
 * null if that is not known.
 */
async function questionAmong(
  repairs: readonly PassingRepair[],
  changesFor: (repair: PassingRepair) => readonly ChangedFile[],
  own: ProjectFunction,
  { tests, suspect, changes }: QuestionInput,
  { project, runners: [, runner], timeout, signal }: AskParts,
): Promise<FoundQuestion | number | null> {
  const { parser, language } = project;
  const file = sourcesOf(changes).get(suspect.file);
  if (file) await project.check([file], signal);
  const repaired =
    file &&
    functionsIn(parser, file).find(
      ({ qualified, headerLine }) => qualified === suspect.function && headerLine === suspect.line,
    );
  if (!file || !repaired) return null;
  const goals = goalsOf(tests, [own]);
  const executing = tests.filter(test => goals.passing.has(test.id) && executes(test, own));
  const ids = [...goals.failing, ...executing.map(({ id }) => id)];
  const observed = await observeRepairs({
    ...{ project, runner, file, found: repaired, ids, signal },
    seconds: limitsFor(tests, timeout).seconds,
    codes: repairs.map(({ code }) => code),
    documentation: functionTask(parser, language, own.file.text, own).documentation,
  });
  if (!observed) return null;
  const asked = questionAbout(observed, suspect.task.entryPoint, language, observed.calls);
  if (!asked) {
    const called = observed.inputs.filter((_, at) => observed.outcomes.every(each => each[at] !== undefined));
    const isSame = behavioursOf(observed, language).length === 1 && called.length >= MIN_INPUTS;
    return isSame ? called.length : null;
  }
  return withTests(project, asked, {
    place: testPlace(project, repaired, ids, asked),
    changes: asked.answers.map(({ programs: [first = 0] }, index) => {
      const repair = repairs[first];
      return index === 0 || !repair ? changes : changesFor(repair);
    }),
    about: { file: suspect.file, function: suspect.function, repairs: repairs.length },
  });
}

function diffOf(project: OpenProject, changes: readonly ChangedFile[]): string {
  return unifiedDiff(changesOf(project, changes)).toString('utf8');
}

function withTests(
  project: OpenProject,
  asked: Question,
  {
    place,
    changes,
    about,
  }: {
    readonly place: ReturnType<typeof testPlace>;
    readonly changes: readonly (readonly ChangedFile[])[];
    readonly about: Pick<RepairQuestion, 'file' | 'function' | 'repairs'>;
  },
): FoundQuestion {
  const files = asked.answers.map((answer, index): AnswerFiles => {
    const own = changes[index] ?? [];
    const current = place && (sourcesOf(own).get(place.file.path) ?? place.file);
    const added = place && current && withTest(project.parser, place, current, answer);
    return { changes: own, test: added ? changedFile(added) : null };
  });
  const answers = asked.answers.map((answer, index) => ({
    does: answer.does,
    repairs: answer.programs.length,
    diff: diffOf(project, files[index]?.changes ?? []),
    test: place && files[index]?.test ? placedTest(place, answer) : null,
  }));
  const { call, behaviours } = asked;
  return { question: { ...about, call, behaviours, answers, chosen: null }, files };
}

/** The repair of an answer and its test, if all tests pass with both; otherwise a note says why not. */
export async function withAnswer(
  { question, files }: FoundQuestion,
  at: number,
  { changes, after }: Pick<QuestionInput, 'changes' | 'after'>,
  {
    fresh,
    timeout,
    signal,
  }: { readonly fresh: Runner; readonly timeout: number; readonly signal: AbortSignal },
): Promise<Omit<AskedQuestion, 'alternatives'>> {
  const kept = { question, changes, added: null, report: after };
  const chosen = files[at];
  if (!chosen) return { ...kept, note: `No test was added: the question has no answer ${at + 1}.` };
  const { test } = chosen;
  if (!test) return { ...kept, note: 'No test was added: hefix cannot write it as the project would.' };
  const all = [...chosen.changes.filter(({ path }) => path !== test.path), test];
  const request = { files: bytesOf(sourcesOf(all)), only: null, trace: false, stop: false, seconds: timeout };
  const report = await fresh.run(request, signal);
  if (!isConfirmed(report, after))
    return { ...kept, note: 'No test was added: the tests do not all pass with it.' };
  // An example in a docstring belongs to the code.
  const isExample = chosen.changes.some(({ path }) => path === test.path);
  return {
    question: { ...question, chosen: at },
    changes: isExample ? all : chosen.changes,
    added: isExample ? null : test,
    ...{ report, note: null },
  };
}

/** Whether all tests pass that passed before, and none fails that did not fail before. */
function isConfirmed(report: TestReport, before: TestReport): boolean {
  const passing = new Set(before.tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const failing = new Set(failedTests(before).map(({ id }) => id));
  return keepsPassing(report, passing) && failedTests(report).every(({ id }) => failing.has(id));
}
