import type { AnswerFormat } from '../../core/choices.ts';
import type { Message } from '../../core/ports.ts';
import type { Language, Task } from '../../core/task.ts';
import { shownCode } from '../../syntax/code-blocks.ts';

/**
 * The first messages of each prompt of an agent without tools, worked examples aside: the model's role, and what to
 * repair. They depend only on the task and the answer format, so that they are identical in all attempts and a model
 * can reuse its KV cache. They contain no tests.
 */
export function taskMessages(task: Task, answer: AnswerFormat): readonly [Message, Message] {
  return [
    {
      role: 'system',
      content: `You fix bugs in ${languageNames[task.language]} functions. ${howToAnswer[answer]}`,
    },
    { role: 'user', content: taskPrompt(task, answer) },
  ];
}

const howToAnswer: Readonly<Record<AnswerFormat, string>> = {
  whole: 'Answer with the whole fixed function in one code block and nothing else.',
  edit: [
    'Answer with an edit of the numbered lines and nothing else: `@` and the number of a line, below it `-` and the part of that line that is wrong, below it `+` and what takes its place.',
    'This changes line 2 from `return a - b` to `return a + b`:\n@2\n-a - b\n+a + b',
    'Lines with `+` alone, written with their indentation, are put before the line; `-` and the whole line alone removes it. Several edits follow one another, and line numbers always mean the code as it is shown.',
  ].join('\n'),
};

type Shown = Pick<Task, 'language' | 'entryPoint' | 'declaration' | 'docstring' | 'buggy'>;

export function taskPrompt(task: Shown, answer: AnswerFormat = 'whole'): string {
  return [
    `The function \`${task.entryPoint}\` has a bug.`,
    ...purposeOf(task),
    answer === 'edit'
      ? `Code with the bug, lines numbered:\n${fenced(task.language, numbered(shownCode(task.buggy)))}`
      : `Code with the bug:\n${fenced(task.language, task.buggy)}`,
    `Fix \`${task.entryPoint}\`. Keep its signature: \`${signatureText(task)}\``,
  ].join('\n\n');
}

function purposeOf({ docstring }: Pick<Task, 'docstring'>): string[] {
  return docstring.trim() === '' ? [] : [`What it should do:\n${docstring.trim()}`];
}

/**
 * A request to write a task's function that shows no code, in two parts: up to where the code begins, and the code with
 * the closing fence.
 */
export function promptForCode(task: Task, code: string): { readonly before: string; readonly code: string } {
  const block = fenced(task.language, code);
  const start = block.indexOf('\n') + 1;
  const request = `Write the ${languageNames[task.language]} function \`${task.entryPoint}\`.`;
  const before = [request, ...purposeOf(task), `Code:\n${block.slice(0, start)}`].join('\n\n');
  return { before, code: block.slice(start) };
}

/**
 * The user message of a task with other code, in two parts: up to where the code begins, and the code with
 * the closing fence.
 */
export function promptWithCode(task: Task, code: string): { readonly before: string; readonly code: string } {
  const block = fenced(task.language, numbered(shownCode(code)));
  const text = taskPrompt({ ...task, buggy: code }, 'edit');
  const start = text.lastIndexOf(block) + block.indexOf('\n') + 1;
  return { before: text.slice(0, start), code: block.slice(block.indexOf('\n') + 1) };
}

function numbered(code: string): string {
  return code
    .split('\n')
    .map((line, index) => `${index + 1}|${line}`)
    .join('\n');
}

/** The header as declared, on one line, without the character that opens the body. */
export function signatureText(task: Pick<Task, 'declaration' | 'entryPoint'>): string {
  const { declaration, entryPoint } = task;
  const lines = declaration.split('\n');
  const named = lines.findLastIndex(line => namesFunction(line, entryPoint));
  const start = named === -1 ? lines.findLastIndex(line => line.trim() !== '') : named;
  const header = lines.slice(Math.max(start, 0)).join(' ');
  return onOneLine(header).replace(/(?:(?<!\s)\s*=>)?(?<!\s)\s*[:{]$/, '');
}

function onOneLine(header: string): string {
  return header
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
}

/** Without a regular expression of the name, which would be compiled for each task. */
function namesFunction(line: string, name: string): boolean {
  for (let start = line.indexOf(name); start !== -1; start = line.indexOf(name, start + 1)) {
    if (!ENDS_IN_NAME.test(line.slice(0, start)) && GOES_ON.test(line.slice(start + name.length)))
      return true;
  }
  return false;
}

const ENDS_IN_NAME = /[\p{ID_Continue}$]$/u;
/** What follows the name in a header. */
const GOES_ON = /^\s*(?:[(<=:]|$)/;

/** The language's usual name. */
export const languageNames: Readonly<Record<Language, string>> = {
  python: 'Python',
  js: 'JavaScript',
  java: 'Java',
  go: 'Go',
  cpp: 'C++',
  rust: 'Rust',
};

/** Code as a Markdown block; the fence is longer than any run of backticks inside, as CommonMark requires. */
export function fenced(language: Language, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language === 'js' ? 'javascript' : language}\n${shownCode(code)}\n${fence}`;
}
