import type { Message } from '../core/ports.ts';
import type { Language, Task } from '../core/task.ts';

/**
 * The protocols by which HumanEvalFix results are published, so that a number can be put beside them.
 * What is asked, in which order, and where an answer is cut are facts of
 * https://github.com/bigcode-project/bigcode-evaluation-harness (bigcode_eval/tasks/humanevalpack.py) and of
 * OctoPack (arXiv:2308.07124). `humanevalfixtests` shows the tests that decide; the other the docstring.
 */
export const protocols = ['humanevalfixtests', 'humanevalfixdocs'] as const;
export type Protocol = (typeof protocols)[number];

/** How the request is wrapped: by the model's own chat template, not at all, or as models of then were trained. */
export const promptTemplates = [
  'chat',
  'plain',
  'octocoder',
  'wizardcoder',
  'codellama',
  'starcodercommit',
] as const;
export type PromptTemplate = (typeof promptTemplates)[number];

export interface PublishedPrompt {
  readonly messages: readonly Message[];
  /** What the answer begins with; empty if the message ends with it. */
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
  const base = answerStart(task, protocol);
  if (base === null) return null;
  const body = task.buggy.slice(task.declaration.length);
  const tests = protocol === 'humanevalfixtests' ? `\n${task.published?.tests ?? task.tests}` : '';
  const context = `${base}${body}${tests}`;
  const instruction = `Fix bugs in ${task.entryPoint}.`;
  // Without the line break at its end the answer begins with the token that models were trained on.
  if (template === 'chat') {
    const messages = [{ role: 'user', content: `${context}\n${instruction}` }] as const;
    return { messages, prefill: base.trim(), raw: false };
  }
  const text = wrapped[template]({ context, instruction, base }).trim();
  return { messages: [{ role: 'user', content: text }], prefill: '', raw: true };
}

/** What comes before the answer in the program that is judged. */
export function answerStart(task: Task, protocol: Protocol): string | null {
  if (protocol === 'humanevalfixdocs') return task.published?.prompt ?? null;
  const declaration = task.published?.declaration ?? task.declaration;
  return task.language === 'rust' ? `fn main(){}\n${declaration}` : declaration;
}

interface Parts {
  readonly context: string;
  readonly instruction: string;
  readonly base: string;
}

const wrapped: Readonly<Record<Exclude<PromptTemplate, 'chat'>, (parts: Parts) => string>> = {
  plain: ({ context, instruction, base }) => `${context}\n${instruction}\n\n${base}`,
  octocoder: ({ context, instruction, base }) => `Question: ${instruction}\n${context}\n\nAnswer:\n${base}`,
  wizardcoder: ({ context, instruction, base }) =>
    `${ALPACA}\n\n### Instruction:\n${instruction}\n${context}\n\n### Response:\n${base}`,
  codellama: ({ context, instruction, base }) =>
    `[INST] ${`${instruction}\n${context}`.trim()} [/INST] ${base}`,
  starcodercommit: ({ context, instruction, base }) =>
    `<commit_before>${context}<commit_msg>${instruction}<commit_after>${base}`,
};

/** What Alpaca's models, and those made like them, were trained to expect. */
const ALPACA =
  'Below is an instruction that describes a task. Write a response that appropriately completes the request.';

/** Where an answer is over: at the first of these. */
export function stopSequences(language: Language): readonly string[] {
  return [...(languageStops[language] ?? []), '<|endoftext|>'];
}

const languageStops: Partial<Record<Language, readonly string[]>> = {
  python: ['\nclass', '\ndef', '\n#', '\n@', '\nprint', '\nif', '\nassert'],
  go: ['\n//', '\nfunc main(', 'struct', '\nfunc'],
};
