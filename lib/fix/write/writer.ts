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
import { HefixError } from '../../core/errors.ts';
import type { Completion, GenerateRequest, Message, TextModel, ToolCall } from '../../core/ports.ts';
import { failedTests, type TestReport, type TestResult } from '../../core/project-tests.ts';
import { derivedSeed } from '../../core/random.ts';
import { isTooLong } from '../../repair/propose/propose.ts';
import { constantsIn } from '../localise/constants.ts';
import { functionsByLine, functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions } from '../options.ts';
import { bytesOf, changedFile, type SourceFile, sourcesOf } from '../patch/source-file.ts';
import { sourceBefore } from '../project/new-files.ts';
import type { OpenProject } from '../project/open-project.ts';
import { keepsPassing, limitsFor, passedOf } from '../repair/trial.ts';
import type { ModelUse } from '../report.ts';
import type { Runner } from '../runners/runner.ts';
import { type AnswerEdit, readModelAnswer } from './answer-edits.ts';
import { blocksGrammar, functionGrammar } from './answer-grammar.ts';
import { applyEdits, type EditedProject } from './apply-edits.ts';
import { functionMessages, functionNow, functionToWrite, isUnread } from './function-prompt.ts';
import { onlyFunction } from './only-function.ts';
import { type PromptParts, projectMessages } from './project-prompt.ts';
import { callProjectTool, projectTools, type ToolParts } from './project-tools.ts';
import { hunksOf, reduceChange } from './reduce-change.ts';

/** Tokens include those of cached answers, which cost nothing. */
export interface Spent extends Omit<ModelUse, 'cost' | 'failure'> {
  readonly paid: { readonly prompt: number; readonly completion: number };
}

export interface WriterParts {
  readonly project: OpenProject;
  readonly options: FixOptions;
  /** Null for none; rejects if it cannot be opened. */
  readonly model: () => Promise<TextModel | null>;
  readonly suspects: readonly Suspect[];
  readonly runner: () => Promise<Runner>;
  /** A process that has run nothing yet. */
  readonly fresh: () => Promise<Runner>;
  readonly signal: AbortSignal;
  readonly onTried: () => void;
  /** Called after an answer that is no repair, unless it repeats an earlier one. */
  readonly onAnswered: () => void;
  readonly onPrompt: (request: number, text: string) => void;
  readonly onCall: (call: ToolCall) => void;
  /** What was spent before, and is now. */
  readonly use: { now: Spent };
}

/** The actors of the machine `writer`. */
export interface WriterActors {
  ask(input: AskInput): Promise<Asked | null>;
  try(input: TryInput): Promise<WrittenAttempt>;
  reduce(input: ReduceInput): Promise<WrittenRepair | null>;
}

export const DEFAULT_LIMITS = { requests: 6, context: 8000, answer: 4096 } as const;
/** Limit on a run of the failing tests: the time of this many tests that use up theirs. */
const WHOLE_RUN = 20;
/** Added to the temperature with each answer. */
const TEMPERATURE_STEP = 0.2;
/** If a prompt is too long for the model. */
const SMALLER = 0.5;
const SMALLEST = 1000;

export function createWriter(parts: WriterParts): WriterActors {
  const { project, options, suspects, signal, use } = parts;
  let requests = 0;
  let budget = options.context ?? DEFAULT_LIMITS.context;
  const sourceWith = (changes: readonly ChangedFile[]) => {
    const changed = sourcesOf(changes);
    return (path: string): SourceFile => changed.get(path) ?? sourceBefore(project, path);
  };

  /** Null if no request is left, or the limit on tokens or the context leaves no room. @param exchanged calls of functions, and results */
  const generate = async (input: AskInput, exchanged: readonly Message[]): Promise<Completion | null> => {
    const model = await parts.model();
    while (model && budget >= SMALLEST && requests < input.maxRequests) {
      requests++;
      // The last request must be an answer.
      const mayCall =
        options.usesTools === true && model.nativeTools === true && requests < input.maxRequests;
      const prompt = { project, suspects, budget, source: sourceWith(input.changes), mayCall };
      const { tools, messages: asked, grammar } = nextPrompt(prompt, input);
      const messages = [...asked, ...exchanged];
      const spent = use.now.promptTokens + use.now.completionTokens;
      if (options.maxTokens !== undefined && spent >= options.maxTokens) return null;
      parts.onPrompt(
        use.now.requests + 1,
        messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n'),
      );
      use.now = { ...use.now, requests: use.now.requests + 1 };
      try {
        const completion = await model.generate(
          {
            messages,
            temperature: Math.min(1, (options.temperature ?? 0) + input.attempts.length * TEMPERATURE_STEP),
            ...{ topP: 1, topK: 0, seed: derivedSeed(options.seed, 'write', input.attempts.length) },
            maxNewTokens: options.answerTokens ?? DEFAULT_LIMITS.answer,
            ...{ tools, grammar },
          },
          { signal },
        );
        use.now = spentWith(use.now, completion);
        return tools ? completion : { ...completion, toolCalls: undefined };
      } catch (error) {
        if (!(error instanceof HefixError)) throw error;
        if (error.code === 'BACKEND_ANSWER_EMPTY') return EMPTY;
        if (!isTooLong(error.code)) throw error;
        budget *= SMALLER;
      }
    }
    return null;
  };

  /** What the functions that the model calls say, until it answers. */
  const answered = async (input: AskInput): Promise<Completion | null> => {
    const exchanged: Message[] = [];
    const tools: ToolParts = {
      ...{ project, source: sourceWith(input.changes), tests: input.tests },
      characters: budget,
      async run(edits, ids) {
        const { files, problems } = edited(readModelAnswer(edits).edits, input.changes, null);
        const changed = changedWith(files, input.changes);
        const isRun = problems.length === 0;
        return { problems, report: isRun ? await run(changed, ids, input.tests) : NO_REPORT };
      },
    };
    for (;;) {
      const completion = await generate(input, exchanged);
      const calls = completion?.toolCalls ?? [];
      if (completion === null || calls.length === 0) return completion;
      exchanged.push({ role: 'assistant', content: completion.text, toolCalls: calls });
      for (const call of calls) {
        parts.onCall(call);
        exchanged.push({ role: 'tool', content: await callProjectTool(tools, call) });
      }
    }
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

  return {
    async ask(input) {
      const completion = await answered(input);
      if (completion === null) return null;
      return { node: input.node, completion: completion.text, isCut: completion.finish === 'length' };
    },

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
      // What an earlier answer set in the process of JavaScript's tests would be there; those of Python are forked.
      const hasRun = attempts.some(each => each.result !== null);
      if (hasRun && project.language === 'js') await (await parts.runner()).close();
      const result = files.size > 0 ? await resultOf(attempt.changes, tests) : null;
      if (result) parts.onTried();
      const isRepair = result !== null && result.passed === result.of && result.broken.length === 0;
      if (!isRepair) parts.onAnswered();
      return { ...attempt, repeated: false, result };
    },

    async reduce({ attempt, tests, changes }) {
      const source = sourceWith(changes);
      const own = attempt.changes.filter(
        ({ path, content }) => source(path).bytes.toString('base64') !== content,
      );
      const kept = attempt.changes.filter(each => !own.includes(each));
      const goal = attempt.result?.passed ?? 0;
      const failing = failedTests({ tests }).map(({ id }) => id);
      const passes = async (smaller: readonly ChangedFile[]): Promise<boolean> => {
        const report = await run([...kept, ...smaller], failing, tests);
        return passedOf(report, new Set(failing)).length >= goal;
      };
      const reduced = await reduceChange(own, source, passes);
      // A process that has run nothing takes longer to start than the tests to find out here that they need a hunk.
      const isEnough = reduced !== own && isBetter(await run([...kept, ...reduced], null, tests), tests);
      for (const version of isEnough ? [reduced, own] : [own]) {
        const all = [...kept, ...version];
        const report = await (await parts.fresh()).run(requestFor(all, null, options.timeout), signal);
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

  async function run(
    changes: readonly ChangedFile[],
    only: readonly string[] | null,
    tests: readonly TestResult[],
  ): Promise<TestReport> {
    const { cpuSeconds } = limitsFor(tests, options.timeout);
    // An answer is dear, and a busy system slow: only a test that never ends may fail for its time.
    const limit = options.timeout * WHOLE_RUN;
    const request = { ...requestFor(changes, only, options.timeout), ...(only && { cpuSeconds, limit }) };
    return await (await parts.runner()).run(request, signal);
  }

  async function resultOf(
    changes: readonly ChangedFile[],
    tests: readonly TestResult[],
  ): Promise<AttemptResult> {
    const failing = failedTests({ tests }).map(({ id }) => id);
    const passing = tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    const first = await run(changes, failing, tests);
    const some = first.fault === null && passedOf(first, new Set(failing)).length > 0;
    const report = some ? await run(changes, null, tests) : first;
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

/** What the model is asked for next: edits, after calls of functions if it may make them, or one function as a whole. */
function nextPrompt(
  prompt: PromptParts,
  input: AskInput,
): Pick<GenerateRequest, 'messages' | 'tools' | 'grammar'> {
  const { project, suspects, source, mayCall } = prompt;
  const whole = functionToWrite(suspects, input.attempts);
  if (whole) {
    const grammar = functionGrammar(functionNow(prompt, whole.suspect), project.language);
    return { messages: functionMessages(prompt, input, whole), grammar };
  }
  const messages = projectMessages(prompt, input);
  if (mayCall) return { messages, tools: projectTools };
  // A model whose answers can be read is left to write as it was trained.
  return { messages, grammar: input.attempts.some(isUnread) ? blocksGrammar(suspects, source) : undefined };
}

/** The functions and constants that a change is in; the first file's module, if it is in none. */
function repairsIn(
  { parser }: OpenProject,
  changes: readonly ChangedFile[],
  source: (path: string) => SourceFile,
): Repair[] {
  const found = [...sourcesOf(changes).values()].flatMap(after => {
    const file = source(after.path);
    const functionAt = functionsByLine(functionsIn(parser, file));
    const constantAt = functionsByLine(constantsIn(parser, file));
    return hunksOf(file.path, file.text, after.text).flatMap(({ start, removed }) => {
      const lines = Array.from({ length: Math.max(1, removed.length) }, (_, at) => start + 1 + at);
      const own = lines.map(line => functionAt(line) ?? constantAt(line));
      const [first] = own.filter(each => each !== null);
      return first ? [first] : [];
    });
  });
  const places = [...new Map(found.map(each => [`${each.file.path}:${each.headerLine}`, each])).values()];
  const named = places.map(
    ({ kind, file, qualified, headerLine }): Repair => ({
      ...{ kind, file: file.path, function: qualified, line: headerLine, origin: 'sample' },
    }),
  );
  const [change] = changes;
  if (named.length > 0 || !change) return named;
  return [{ kind: 'constant', file: change.path, function: 'module', line: 1, origin: 'sample' }];
}

function spentWith(
  { requests, promptTokens, completionTokens, paid }: Spent,
  { promptTokens: prompt, completionTokens: completion, cached }: Completion,
): Spent {
  return {
    requests,
    promptTokens: promptTokens + prompt,
    completionTokens: completionTokens + completion,
    paid: cached ? paid : { prompt: paid.prompt + prompt, completion: paid.completion + completion },
  };
}

const NO_REPORT: TestReport = { tests: [], fault: null };
const EMPTY: Completion = { text: '', promptTokens: 0, completionTokens: 0, finish: 'length' };

function requestFor(changes: readonly ChangedFile[], only: readonly string[] | null, seconds: number) {
  return { files: bytesOf(sourcesOf(changes)), only, trace: false, stop: false, seconds };
}

/** Whether fewer tests fail, and all that passed still do. */
function isBetter(report: TestReport, tests: readonly TestResult[]): boolean {
  const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const known = new Set(tests.map(({ id }) => id));
  const failed = failedTests(report).filter(({ id }) => known.has(id));
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
