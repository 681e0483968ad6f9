import type { AskInput, WrittenAttempt } from '../../../machines/writer-actors.ts';
import type { Message } from '../../core/ports.ts';
import { failedTests } from '../../core/project-tests.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { calledFunctions, callsOf } from '../model/function-context.ts';
import {
  answerTurns,
  block,
  CHARACTERS_PER_TOKEN,
  cut,
  type PromptParts,
  testsText,
} from './project-prompt.ts';

/** Answers without an edit that applies, after which a model writes one function at a time. */
const UNREAD = 2;
/** Answers about one function, before the next is asked for. */
const ANSWERS = 2;

/** Whether an answer had no edit that applies, and asked for no file. */
export function isUnread({ changes, wanted }: WrittenAttempt): boolean {
  return changes.length === 0 && wanted.length === 0;
}

/** The function to write whole; null while the model writes search/replace blocks. */
export function functionToWrite(
  suspects: readonly Suspect[],
  attempts: readonly WrittenAttempt[],
): { readonly suspect: Suspect; readonly attempts: readonly WrittenAttempt[] } | null {
  const unread = attempts.flatMap((each, index) => (isUnread(each) ? [index] : []));
  const last = unread[UNREAD - 1];
  const functions = suspects.filter(each => each.function.kind === 'function');
  if (last === undefined || functions.length === 0) return null;
  const whole = attempts.slice(last + 1);
  const turn = Math.floor(whole.length / ANSWERS);
  const suspect = functions[turn % functions.length];
  return suspect ? { suspect, attempts: whole.slice(turn * ANSWERS) } : null;
}

/** The same function in its file as it is now. */
export function functionNow(
  { project, source }: Pick<PromptParts, 'project' | 'source'>,
  { function: each }: Suspect,
): ProjectFunction {
  const same = functionsIn(project.parser, source(each.file.path)).filter(
    ({ qualified }) => qualified === each.qualified,
  );
  return same.find(({ headerLine }) => headerLine === each.headerLine) ?? same[0] ?? each;
}

/**
 * The request for one function as a whole, for models to which search/replace blocks are too difficult: the failing tests,
 * the function, what it calls and where it is called; then the last answer about it, and what the tests say.
 * @param isBegun whether the answer begins with the code
 */
export function functionMessages(
  parts: PromptParts,
  input: AskInput,
  { suspect, attempts }: { readonly suspect: Suspect; readonly attempts: readonly WrittenAttempt[] },
  isBegun: boolean,
): Message[] {
  const { project, source } = parts;
  const characters = parts.budget * CHARACTERS_PER_TOKEN;
  const current = functionNow(parts, suspect);
  const system = systemText(isBegun);
  const turns = answerTurns({ ...input, attempts }, characters, CLOSE);
  const left = characters - system.length - turns.reduce((sum, { content }) => sum + content.length, 0);
  const lines = current.file.text.split(/\r?\n/).slice(current.firstLine - 1, current.lastLine);
  const code = `# Function to rewrite\n\n\`${current.qualified}\` in ${current.file.path}:\n${block(lines.join('\n'), project)}`;
  const failing = failedTests(input);
  const tests = cut(testsText(parts, failing, input.tests.length), Math.max(left - code.length, left / 4));
  const called = calledFunctions(project.parser, current.file, current);
  const calls = callsOf(current, project.sources, source);
  const around = [
    ...(called === '' ? [] : [`It calls these functions of its file:\n${block(called, project)}`]),
    ...(calls === '' ? [] : [`It is called here:\n${block(calls, project)}`]),
  ];
  const content = [tests, code, ...around].reduce((text, part) =>
    text.length + part.length + 2 <= left ? `${text}\n\n${part}` : text,
  );
  return [{ role: 'system', content: system }, { role: 'user', content }, ...turns];
}

function systemText(isBegun: boolean): string {
  return `You are an experienced software engineer. Tests of a project fail because of a bug in one of its functions. Rewrite the function so that they pass.

${isBegun ? 'Write' : 'First name the cause in one sentence. Then write'} the path of the file on a line of its own, and below it one code block with the whole function, from its first line to its last:

path/to/file.py
\`\`\`
the whole function
\`\`\`

- Keep its name and its indentation.
- Write no other function, no tests and no examples. Fix the cause; do not special-case the values of the tests.`;
}

const CLOSE = 'Your version was not kept. Write the whole function again, changed from the one shown above.';
