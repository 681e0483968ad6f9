import type { Protocol } from '../../core/choices.ts';
import type { Message } from '../../core/ports.ts';
import type { Language, Task } from '../../core/task.ts';
import { stripEnd } from '../python-text.ts';
import { formatStops, type HarnessFormat, harnessFormats, inFormat } from './published-formats.ts';

/**
 * The format of the request: `chat` uses the model's own chat template with a prefilled answer; `api` follows
 * the harness's script for chat APIs, without a prefill or tests; the others are formats of the harness.
 */
export const promptTemplates = [
  'chat',
  'api',
  ...(Object.keys(harnessFormats) as HarnessFormat[]),
] as const satisfies readonly string[];
export type PromptTemplate = 'chat' | 'api' | HarnessFormat;

export interface PublishedPrompt {
  readonly messages: readonly Message[];
  /** The beginning of the answer; empty if the message already ends with it, or if there is none. */
  readonly prefill: string;
  /** The message is the whole prompt. */
  readonly raw: boolean;
}

/** @returns null if the dataset lacks what the protocol shows: the declaration with its docstring. */
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
    // For Rust, the script shows the declaration twice if it shows the docstring.
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

/** What precedes the answer in the judged program. */
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

/** Stop sequences: the answer ends at the first of these. */
export function stopSequences(language: Language, template: PromptTemplate): readonly string[] {
  const { stops, alone } = formatStops(template);
  return [...(alone ? [] : (languageStops[language] ?? [])), ...stops, '<|endoftext|>'];
}

const languageStops: Partial<Record<Language, readonly string[]>> = {
  python: ['\nclass', '\ndef', '\n#', '\n@', '\nprint', '\nif', '\nassert'],
  go: ['\n//', '\nfunc main(', 'struct', '\nfunc'],
};
