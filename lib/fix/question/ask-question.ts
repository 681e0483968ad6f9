import leven from 'leven';
import type {
  AskedQuestion,
  ChangedFile,
  Other,
  QuestionInput,
  RepairQuestion,
} from '../../../machines/project-actors.ts';
import { failedTests, type TestReport } from '../../core/project-tests.ts';
import { behavesTheSame, type Question, questionAbout } from '../../repair/behaviour/question.ts';
import { unsureKind } from '../claim.ts';
import { executes, functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect as LocatedSuspect } from '../localise/suspects.ts';
import { bytesOf, changedFile, sourcesOf } from '../patch/source-file.ts';
import { changesOf, unifiedDiff } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import { failuresOf } from '../repair/failure-facts.ts';
import { type FunctionEdits, functionEdits } from '../repair/function-edits.ts';
import { functionTask, versionOf } from '../repair/function-task.ts';
import { changesWith, suspectIn } from '../repair/suspect-change.ts';
import { createCandidateJudge, IN_FLIGHT } from '../repair/tests-decide.ts';
import { goalsOf, keepsPassing, limitsFor } from '../repair/trial.ts';
import type { Runner } from '../runners/runner.ts';
import { placedTest, testPlace, withTest } from './added-test.ts';
import { isComparable, type ObservedRepairs, observeRepairs } from './observe-repairs.ts';

export interface AskParts {
  readonly project: OpenProject;
  readonly runners: readonly Runner[];
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
  /** The files with an edit that is smaller than what a model wrote and does the same; null if there is none. */
  readonly instead: readonly ChangedFile[] | null;
}

/** Looks for repairs that pass as well, and for an input that tells them apart. The repair itself stays what it is. */
export async function findOtherRepairs(input: QuestionInput, parts: AskParts): Promise<OtherRepairs> {
  const { suspect, found, changes } = input;
  const { project } = parts;
  const located = suspectIn({ project, repaired: new Map() }, suspect);
  const { function: suspectFunction } = located;
  const edits = found.origin === 'sample' ? editsOf(located, input, parts) : null;
  const others = othersOf(input, edits);
  const repairs = await gathered(input, others, suspectFunction, parts).finally(() => edits?.close());
  const changesFor = ({ place, version }: PassingRepair): readonly ChangedFile[] =>
    place === -1
      ? changes
      : changesWith(project, { changes: [], suspect, found: { place: found.place, ...version } });
  const diffsBut = (taken: PassingRepair | undefined) =>
    repairs.filter(each => each !== taken).map(each => diffOf(project, changesFor(each)));
  const unasked = { alternatives: diffsBut(repairs[0]), asked: null, note: null, instead: null };
  // A constant is not called.
  const isAsked = repairs.length > 1 && suspectFunction.kind === 'function' && isComparable(suspectFunction);
  if (!isAsked) return unasked;
  // Without a question, the others remain.
  const versions = await observedAmong(repairs, suspectFunction, input, parts).catch(() => null);
  if (!versions) return unasked;
  const smaller = smallerEdit(repairs, versions, input, suspectFunction, project);
  const instead = smaller && changesFor(smaller);
  const now = { ...input, changes: instead ?? changes };
  const asked = questionAmong(versions, { repairs, changesFor, input: now, project });
  const inputs = asked ? null : sameWith(versions, project);
  if (inputs === null) return { alternatives: diffsBut(smaller ?? repairs[0]), asked, note: null, instead };
  return { alternatives: [], asked: null, note: doTheSame(repairs.length - 1, inputs), instead };
}

/** The edits of a function that a model wrote. */
function editsOf(
  located: LocatedSuspect,
  { tests }: QuestionInput,
  { project, signal }: AskParts,
): FunctionEdits {
  const { parser, language } = project;
  const { function: suspectFunction, lines } = located;
  const failures = failuresOf({ project, tests }, located, suspectFunction.file.text);
  const functionAsTask = functionTask(parser, language, suspectFunction.file.text, suspectFunction);
  return functionEdits(functionAsTask, lines, { parser, signal, failures });
}

/** Versions of the function that may pass, the likeliest first. Edits are enumerated only as far as they are needed. */
async function* othersOf({ others }: QuestionInput, edits: FunctionEdits | null): AsyncGenerator<Other> {
  yield* others;
  for (let count = 0; edits && count < MAX_ENUMERATED; count += ENUMERATED_AT_ONCE) {
    const codes = (await edits.upTo(count + ENUMERATED_AT_ONCE)).slice(count, count + ENUMERATED_AT_ONCE);
    for (const code of codes) yield { code, origin: 'edit', passes: false };
    if (codes.length < ENUMERATED_AT_ONCE) return;
  }
}

const MAX_ENUMERATED = 150;
const ENUMERATED_AT_ONCE = 10;

/**
 * An edit that passed before a model's repair came, is smaller and does the same with all inputs; none of a kind that is
 * seldom meant.
 */
function smallerEdit(
  repairs: readonly PassingRepair[],
  { observed }: ObservedVersions,
  { found }: QuestionInput,
  suspectFunction: ProjectFunction,
  { language, parser }: OpenProject,
): PassingRepair | null {
  const [first] = repairs;
  if (found.origin !== 'sample' || !first) return null;
  const { buggy } = functionTask(parser, language, suspectFunction.file.text, suspectFunction).task;
  const size = ({ code }: PassingRepair) => leven(buggy, code);
  const smaller = repairs.find(
    (each, index) =>
      each.passedBefore &&
      size(each) < size(first) &&
      unsureKind(buggy, each.code) === null &&
      behavesTheSame(observed, [0, index], language, MIN_INPUTS),
  );
  return smaller ?? null;
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
  readonly place: number;
  readonly version: Pick<Other, 'code' | 'origin'>;
  /** Whether it passed before the question. */
  readonly passedBefore: boolean;
  readonly code: string;
}

/** The repair, and those of the others that pass, as far as there is time to try them; the likeliest first. */
async function gathered(
  { tests, found }: QuestionInput,
  others: AsyncGenerator<Other>,
  suspectFunction: ProjectFunction,
  { project, runners, timeout, signal, now, seconds }: AskParts,
): Promise<PassingRepair[]> {
  const functionAsTask = functionTask(
    project.parser,
    project.language,
    suspectFunction.file.text,
    suspectFunction,
  );
  const codeOf = (version: PassingRepair['version']) => versionOf(functionAsTask, version);
  const first = codeOf(found);
  if (first === null) return [];
  const [fresh] = runners;
  if (!fresh) return [];
  const ignored = { fresh, onTried: () => {}, onJudged: () => {} };
  const judge = createCandidateJudge(
    { timeout, signal, tests, repaired: new Map(), runners, ...ignored },
    found.place,
    [suspectFunction],
    functionAsTask,
    suspectFunction.file,
  );
  const codes = new Set([first]);
  const passing: PassingRepair[] = [{ place: -1, version: found, passedBefore: false, code: first }];
  let count = 0;
  const end = now() + seconds * 1000 * GATHERING;
  let tried = 0;
  const gather = async (worker: number): Promise<void> => {
    for (let next = await others.next(); !next.done; next = await others.next()) {
      const { passes, ...version } = next.value;
      const place = count++;
      if (passing.length >= MAX_REPAIRS) return;
      const code = codeOf(version);
      if (code === null || codes.has(code)) continue;
      codes.add(code);
      if (!passes && tried >= MIN_TRIED && now() > end) return;
      if (!passes) tried++;
      if (passes || (await judge({ origin: version.origin, code }, worker)).isRepair)
        passing.push({ place, version, passedBefore: passes, code });
    }
  };
  const workers = Array.from({ length: runners.length * IN_FLIGHT }, (_, worker) => gather(worker));
  // When the time is up, those that have passed remain.
  await Promise.all(workers).catch(error => {
    if (!signal.aborted) throw error;
  });
  return passing.toSorted((a, b) => a.place - b.place);
}

/** What versions of a function do with generated inputs. */
interface ObservedVersions {
  readonly observed: ObservedRepairs;
  /** The function in the repaired file, and tests that execute it. */
  readonly repaired: ProjectFunction;
  readonly ids: readonly string[];
}

/** Null if the function cannot be called. */
async function observedAmong(
  repairs: readonly PassingRepair[],
  suspectFunction: ProjectFunction,
  { tests, suspect, changes }: QuestionInput,
  { project, runners, timeout, signal }: AskParts,
): Promise<ObservedVersions | null> {
  const { parser, language } = project;
  const runner = runners.at(-1);
  const file = sourcesOf(changes).get(suspect.file);
  if (file) await project.check([file], signal);
  const repaired =
    file &&
    functionsIn(parser, file).find(
      ({ qualified, headerLine }) => qualified === suspect.function && headerLine === suspect.line,
    );
  if (!runner || !file || !repaired) return null;
  const goals = goalsOf(tests, [suspectFunction]);
  const executing = tests.filter(test => goals.passing.has(test.id) && executes(test, suspectFunction));
  const ids = [...goals.failing, ...executing.map(({ id }) => id)];
  const observed = await observeRepairs({
    ...{ project, runner, file, repairedFunction: repaired, ids, signal },
    seconds: limitsFor(tests, timeout).seconds,
    codes: repairs.map(({ code }) => code),
    documentation: functionTask(parser, language, suspectFunction.file.text, suspectFunction).documentation,
  });
  return observed && { observed, repaired, ids };
}

/** The number of inputs with which all versions do the same; null if that is not known. */
function sameWith({ observed }: ObservedVersions, { language }: OpenProject): number | null {
  const called = observed.inputs.filter((_, index) =>
    observed.outcomes.every(each => each[index] !== undefined),
  );
  const isSame = observed.outcomes.every((_, index) =>
    behavesTheSame(observed, [0, index], language, MIN_INPUTS),
  );
  return isSame ? called.length : null;
}

interface ComparedRepairs {
  readonly repairs: readonly PassingRepair[];
  readonly changesFor: (repair: PassingRepair) => readonly ChangedFile[];
  readonly input: QuestionInput;
  readonly project: OpenProject;
}

/** An input on which the repairs differ, and what each of them does; null if none was found. */
function questionAmong(
  { observed, repaired, ids }: ObservedVersions,
  { repairs, changesFor, input: { suspect, changes }, project }: ComparedRepairs,
): FoundQuestion | null {
  const { entryPoint } = suspect.task;
  const called = observed.object ? (suspect.function.split('.')[0] ?? entryPoint) : entryPoint;
  const asked = questionAbout(observed, called, project.language, observed.calls);
  if (!asked) return null;
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
    const answerChanges = changes[index] ?? [];
    const current = place && (sourcesOf(answerChanges).get(place.file.path) ?? place.file);
    const added = place && current && withTest(project.parser, place, current, answer);
    return { changes: answerChanges, test: added ? changedFile(added) : null };
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

interface AnswerParts {
  readonly fresh: Runner;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** An edit that is taken instead of the repair; null if all tests in a new process do not confirm it. */
export async function withEdit(
  changes: readonly ChangedFile[],
  after: TestReport,
  { fresh, timeout, signal }: AnswerParts,
): Promise<Pick<AskedQuestion, 'changes' | 'report' | 'isEdit'> | null> {
  const files = bytesOf(sourcesOf(changes));
  const report = await fresh.run({ files, only: null, trace: false, stop: false, seconds: timeout }, signal);
  return isConfirmed(report, after) ? { changes, report, isEdit: true } : null;
}

/** The repair of an answer and its test, if all tests pass with both; otherwise a note says why not. */
export async function withAnswer(
  { question, files }: FoundQuestion,
  index: number,
  { changes, after }: Pick<QuestionInput, 'changes' | 'after'>,
  { fresh, timeout, signal }: AnswerParts,
): Promise<Omit<AskedQuestion, 'alternatives' | 'mutants' | 'isEdit'>> {
  const unchanged = { question, changes, added: null, report: after };
  const chosen = files[index];
  if (!chosen) return { ...unchanged, note: `No test was added: the question has no answer ${index + 1}.` };
  const { test } = chosen;
  if (!test) return { ...unchanged, note: 'No test was added: hefix cannot write it as the project would.' };
  const all = [...chosen.changes.filter(({ path }) => path !== test.path), test];
  const request = { files: bytesOf(sourcesOf(all)), only: null, trace: false, stop: false, seconds: timeout };
  const report = await fresh.run(request, signal);
  if (!isConfirmed(report, after))
    return { ...unchanged, note: 'No test was added: the tests do not all pass with it.' };
  // An example in a docstring belongs to the code.
  const isExample = chosen.changes.some(({ path }) => path === test.path);
  return {
    question: { ...question, chosen: index },
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
