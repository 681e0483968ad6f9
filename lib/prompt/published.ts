import type { Message } from '../core/ports.ts';
import type { Language, Task } from '../core/task.ts';
import { formatStops, type HarnessFormat, harnessFormats, inFormat } from './published-formats.ts';
import { stripEnd } from './python-text.ts';

/**
 * The protocols by which HumanEvalFix results are published, so that a number can be compared with them.
 * What is asked, in which order, and where an answer is cut are facts of
 * https://github.com/bigcode-project/bigcode-evaluation-harness (bigcode_eval/tasks/humanevalpack.py) and of
 * OctoPack (arXiv:2308.07124). `humanevalfixtests` shows the tests that decide; the other the docstring.
 */
export const protocols = ['humanevalfixtests', 'humanevalfixdocs'] as const;
export type Protocol = (typeof protocols)[number];

/**
 * How the request is wrapped: `chat` by the model's own chat template, its answer begun; `api` as the harness's script
 * for chat APIs has it, which begins no answer and shows no tests; the others by a format of the harness.
 */
export const promptTemplates = [
  'chat',
  'api',
  ...(Object.keys(harnessFormats) as HarnessFormat[]),
] as const satisfies readonly string[];
export type PromptTemplate = 'chat' | 'api' | HarnessFormat;

export interface PublishedPrompt {
  readonly messages: readonly Message[];
  /** What the answer begins with; empty if the message ends with it, or nothing does. */
  readonly prefill: string;
  /** The message is the whole prompt. */
  readonly raw: boolean;
}

/** @returns null if the dataset does not have what the protocol shows: the declaration with its docstring. */
export function publishedPrompt(
  task: Task,
  protocol: Protocol,
  template: PromptTemplate,
): PublishedPrompt | null {
  const start = answerStart(task, protocol);
  if (start === null) return null;
  const body = task.buggy.slice(task.declaration.length);
  const entryPoint = task.published?.entryPoint ?? task.entryPoint;
  const instruction = `Fix bugs in ${entryPoint}.`;
  if (template === 'api') {
    // In Rust the script shows the declaration twice where it shows the docstring.
    const repeated = task.language === 'rust' && protocol === 'humanevalfixdocs' ? mainAnd(task) : '';
    return userTurn(`${repeated}${start}${body}\n${instruction}`);
  }
  const tests = protocol === 'humanevalfixtests' ? `\n${task.published?.tests ?? task.tests}` : '';
  const code = `${start}${body}${tests}`;
  if (template === 'chat') return { ...userTurn(`${instruction}\n${code}`), prefill: stripEnd(start) };
  const file = `${entryPoint}.${extensions[task.language]}`;
  return { ...userTurn(inFormat(template, { code, instruction, file, start })), raw: true };
}

function userTurn(content: string): PublishedPrompt {
  return { messages: [{ role: 'user', content }], prefill: '', raw: false };
}

/** What comes before the answer in the program that is judged. */
export function answerStart(task: Task, protocol: Protocol): string | null {
  if (protocol === 'humanevalfixdocs') return task.published?.prompt ?? null;
  return task.language === 'rust' ? mainAnd(task) : (task.published?.declaration ?? task.declaration);
}

function mainAnd(task: Task): string {
  return `fn main(){}\n${task.published?.declaration ?? task.declaration}`;
}

const extensions: Readonly<Record<Language, string>> = {
  python: 'py',
  js: 'js',
  java: 'java',
  go: 'go',
  cpp: 'cpp',
  rust: 'rs',
};

/** Where an answer is over: at the first of these. */
export function stopSequences(language: Language, template: PromptTemplate): readonly string[] {
  const { stops, alone } = formatStops(template);
  return [...(alone ? [] : (languageStops[language] ?? [])), ...stops, '<|endoftext|>'];
}

const languageStops: Partial<Record<Language, readonly string[]>> = {
  python: ['\nclass', '\ndef', '\n#', '\n@', '\nprint', '\nif', '\nassert'],
  go: ['\n//', '\nfunc main(', 'struct', '\nfunc'],
};
