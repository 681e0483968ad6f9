import type { AskInput, AttemptResult, WrittenAttempt } from '../../../machines/writer-actors.ts';
import type { Message } from '../../core/ports.ts';
import { failedTests, type TestResult } from '../../core/project-tests.ts';
import { withoutThinking } from '../../syntax/code-blocks.ts';
import type { Suspect } from '../localise/suspects.ts';
import { callsOf, tracebackText } from '../model/function-context.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { fenceWord } from './answer-grammar.ts';
import { testSource } from './failing-tests.ts';
import { outlineOf } from './outline.ts';

export interface PromptParts {
  readonly project: OpenProject;
  /** With all repairs so far. */
  readonly source: (path: string) => SourceFile;
  /** The most suspicious first. */
  readonly suspects: readonly Suspect[];
  /** Tokens of the prompt. */
  readonly budget: number;
  /** Whether the model may call functions before it answers. */
  readonly mayCall: boolean;
}

/** Average for code and English. */
export const CHARACTERS_PER_TOKEN = 3.5;
/** Shares of the budget: at most this for the tests; for the last answer, and for what the tests say about it. */
const TESTS_SHARE = 0.35;
const LAST_SHARE = 0.25;
/** Number of failing tests that are shown in full, and named. */
const MAX_TESTS = 5;
const MAX_NAMED = 20;

/**
 * The conversation so far: the failing tests and the most suspicious code, the last answer, and what the tests say about
 * it. Of earlier answers there is only how many failing tests they made pass.
 */
export function projectMessages(parts: PromptParts, input: AskInput): Message[] {
  const characters = parts.budget * CHARACTERS_PER_TOKEN;
  const system: Message = { role: 'system', content: parts.mayCall ? `${SYSTEM}\n\n${CALLS}` : SYSTEM };
  const turns = answerTurns(input, characters, CLOSE);
  const left = characters - SYSTEM.length - turns.reduce((sum, { content }) => sum + content.length, 0);
  return [system, { role: 'user', content: taskText(parts, input, left) }, ...turns];
}

/** The last answer and what the tests say about it; none before the first. @param close the last sentence, what to do next */
export function answerTurns(input: AskInput, characters: number, close: string): Message[] {
  const last = input.attempts.at(-1);
  if (!last) return [];
  const answer = cut(withoutThinking(last.completion).trim() || '(no answer)', characters * LAST_SHARE);
  const remark = cut(remarkOn(input, last, close), characters * LAST_SHARE);
  return [
    { role: 'assistant', content: answer },
    { role: 'user', content: remark },
  ];
}

const CLOSE =
  'None of your changes were kept. Write the complete fix again, as edits of the code as shown above.';

const SYSTEM = `You are an experienced software engineer. Tests of a project fail because of a bug in its code. Find the cause and fix it.

First explain the cause briefly. Then write the fix as edits in this format:

path/to/file.py
<<<<<<< SEARCH
lines of the file to replace
=======
the new lines
>>>>>>> REPLACE

- Copy the SEARCH lines exactly from the file, with their indentation. Take as few as are needed to be unique in the file.
- Write one block for each place that changes, in as many files as needed: functions, methods, constants, imports, new helpers.
- To add a file to a package, write a block with an empty SEARCH part.
- Never change tests, their helpers or configuration. Fix the cause; do not special-case the values of the tests.
- Keep the change small and in the style of the code.
- If the bug must be in code that is not shown, write no edits, only lines such as: SHOW path/to/file.py`;

const CALLS =
  'Before you answer, you may call functions to read and search files and to run tests, also with edits that you want to try. Call as few as you need, and then answer with the edits.';

function taskText(parts: PromptParts, { tests, attempts }: AskInput, characters: number): string {
  const failing = failedTests({ tests });
  const said = cut(testsText(parts, failing, tests.length), characters * TESTS_SHARE);
  const code = codeText(parts, attempts, characters - said.length);
  return `${said}\n\n${code}`;
}

export function testsText(parts: PromptParts, failing: readonly TestResult[], count: number): string {
  const shown = failing.slice(0, MAX_TESTS);
  const others = failing.slice(MAX_TESTS, MAX_NAMED);
  const seen = new Set<string>();
  const texts = shown.map(test => {
    const sources = testSource(parts.project, test).filter(text => !seen.has(text));
    for (const text of sources) seen.add(text);
    return testText(parts, test, sources);
  });
  return [
    `# Failing tests (${failing.length} of ${count})`,
    ...texts,
    ...(others.length > 0 ? [`Also failing: ${others.map(({ id }) => id).join(', ')}`] : []),
  ].join('\n\n');
}

function testText({ project, source }: PromptParts, test: TestResult, sources: readonly string[]): string {
  const frames = (test.frames ?? []).filter(([path]) => project.has(path));
  const traceback = tracebackText(frames, source);
  return [
    `## ${test.id}`,
    ...sources.map(text => block(cut(text, MAX_SOURCE), project)),
    failureText(test),
    ...(traceback === '' ? [] : [`Traceback, innermost line last:\n${block(traceback, project)}`]),
  ].join('\n');
}

/** Maximum characters of one test, and of one value. */
const MAX_SOURCE = 5000;
const MAX_VALUE = 1500;

export function failureText({ type, message = '', test, expected, actual, timeout }: TestResult): string {
  const said = [type, message].filter(Boolean).join(': ');
  return [
    timeout ? 'It does not end in time.' : `It fails${said === '' ? '.' : ` with ${cut(said, MAX_VALUE)}`}`,
    ...(test ? [`Failing statement: ${cut(test.source, MAX_VALUE)}`] : []),
    ...(expected === undefined ? [] : [`Expected: ${cut(expected, MAX_VALUE)}`]),
    ...(actual === undefined ? [] : [`Actual: ${cut(actual, MAX_VALUE)}`]),
  ].join('\n');
}

/** Functions that are much less suspicious than the first are only shown as far as the room for them allows. */
function codeText(parts: PromptParts, attempts: readonly WrittenAttempt[], characters: number): string {
  const likely = filesText(parts, attempts, characters, LIKELY);
  const room = characters * LESS_ROOM;
  return likely.length < room ? filesText(parts, attempts, room, LESS_LIKELY) : likely;
}

/** Shares of the highest suspicion. */
const LIKELY = 0.5;
const LESS_LIKELY = 0.1;
/** Share of the room, with the likely ones. */
const LESS_ROOM = 0.6;

/**
 * The files of the suspects, the most suspicious first: whole, if they are short, or as an outline.
 * @param share of the highest suspicion; of functions below it, there is the name
 */
function filesText(
  promptParts: PromptParts,
  attempts: readonly WrittenAttempt[],
  characters: number,
  share: number,
): string {
  const least = (promptParts.suspects[0]?.suspicion ?? 0) * share;
  const suspects = promptParts.suspects.filter(({ suspicion }) => suspicion >= least);
  const parts = { ...promptParts, suspects };
  const { project, source } = parts;
  const wanted = attempts
    .flatMap(each => each.wanted)
    .flatMap(path => project.sources.filter(one => one === path || one.endsWith(`/${path}`)));
  const paths = [...new Set([...wanted, ...suspects.map(({ function: { file } }) => file.path)])];
  const texts: string[] = [];
  let left = characters;
  for (const path of paths.slice(0, MAX_FILES)) {
    const text = fileText(parts, path, wanted.includes(path), left);
    if (text === null) continue;
    texts.push(text);
    left -= text.length;
  }
  const others = promptParts.suspects
    .filter(each => !suspects.includes(each) && !paths.includes(each.function.file.path))
    .map(({ function: { file, qualified } }) => `${qualified} in ${file.path}`);
  if (others.length > 0) texts.push(`Less suspicious, and not shown: ${others.join(', ')}`);
  const [first] = suspects;
  const calls = first ? callsOf(first.function, project.sources, source) : '';
  const callers =
    calls === '' ? '' : `${first?.function.qualified} is called here:\n${block(calls, project)}`;
  if (callers !== '' && callers.length < left) texts.push(callers);
  return ['# Code', ...texts].join('\n\n');
}

const MAX_FILES = 6;
/** A file of at most this many characters is shown whole. */
const SHORT_FILE = 6000;

/** Null if not even its most suspicious function fits. */
function fileText(
  { project, source, suspects }: PromptParts,
  path: string,
  isWanted: boolean,
  left: number,
): string | null {
  const file = source(path);
  const inFile = suspects.filter(each => each.function.file.path === path);
  const whole = outlineOf(project.parser, file, null);
  if (whole.length <= Math.min(isWanted ? left - 200 : SHORT_FILE, left - 200))
    return `## ${path}\n${block(whole, project)}`;
  // As many functions in full as fit, the most suspicious first.
  for (let count = inFile.length; count >= 0; count = Math.min(count - 1, Math.floor(count * 0.7))) {
    const shown = new Set(inFile.slice(0, count).map(each => each.function.headerLine));
    const text = outlineOf(project.parser, file, shown);
    if (text.length <= left - 200)
      return `## ${path} (bodies of other functions are left out)\n${block(text, project)}`;
  }
  const [first] = inFile;
  if (!first) return null;
  const { firstLine, lastLine } = first.function;
  const lines = file.text
    .split(/\r?\n/)
    .slice(firstLine - 1, lastLine)
    .join('\n');
  return lines.length <= left - 200
    ? `## ${path} (lines ${firstLine} to ${lastLine})\n${block(lines, project)}`
    : null;
}

/** What the tests say about the last answer. */
function remarkOn({ node, attempts, tests }: AskInput, last: WrittenAttempt, close: string): string {
  const said = [
    ...last.problems,
    ...(last.isCut ? ['Your answer was cut off by the limit on its length. Answer more briefly.'] : []),
    ...(last.result ? resultTexts(last.result, tests) : []),
  ];
  const nothing =
    last.problems.length === 0 && last.result === null && !last.isCut && last.changes.length === 0;
  if (nothing && last.wanted.length === 0) said.push('Your answer contains no edits.');
  if (node === 'repeat') said.unshift('You have given this answer before, and it does not fix the bug.');
  const earlier = attempts
    .slice(0, -1)
    .flatMap(({ result }) => (result ? [`${result.passed} of ${result.of}`] : []));
  if (earlier.length > 0) said.push(`Earlier answers made ${earlier.join(', ')} failing tests pass.`);
  const next =
    last.wanted.length > 0
      ? 'The files that you want to see are shown above, as far as the project has them. Write the fix.'
      : close;
  return [...said, next].join('\n\n');
}

function resultTexts(
  { passed, of, broken, failing, fault }: AttemptResult,
  tests: readonly TestResult[],
): string[] {
  if (fault !== null) return [`With your edits the tests cannot be run: ${cut(fault, MAX_VALUE)}`];
  const before = new Map(tests.map(test => [test.id, test]));
  const told = (test: TestResult): string => {
    const same = before.get(test.id);
    const isSame = same?.message === test.message && same?.actual === test.actual && same?.type === test.type;
    return `${test.id}: ${isSame ? 'fails as before. ' : ''}${failureText(test)}`;
  };
  return [
    `With your edits, ${passed} of the ${of} failing tests pass.`,
    ...(broken.length > 0
      ? [`These tests passed before and fail now:\n${broken.slice(0, 3).map(told).join('\n')}`]
      : []),
    ...(failing.length > 0 ? [`These still fail:\n${failing.slice(0, 3).map(told).join('\n')}`] : []),
  ];
}

export function block(code: string, { language }: Pick<OpenProject, 'language'>): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${fenceWord(language)}\n${code}\n${fence}`;
}

export function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, Math.max(0, Math.floor(characters)))} …` : text;
}
