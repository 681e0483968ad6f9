import type { PromptTemplate, Protocol } from '../../../core/choices.ts';
import type { Message } from '../../../core/ports.ts';
import { fileEndings, type Language, type Task } from '../../../core/task.ts';

/**
 * The formats of bigcode-evaluation-harness, named as in its option `--prompt`: the forms that models of the
 * time were trained on, as their authors document them. Placeholders:
 * - `{ask}`: the instruction and, on the next line, the code with its tests;
 * - `{stripped}`: the same without white space at both ends;
 * - `{code}` and `{instruction}`: the two separately;
 * - `{file}`: a name for the code's file;
 * - `{start}`: the beginning of the answer.
 */
const ALPACA =
  'Below is an instruction that describes a task. Write a response that appropriately completes the request.';
const CHATML = '<|im_start|>user\n{ask}<|im_end|>\n<|im_start|>assistant\n{start}';
const TULU = '<|user|>\n{ask}\n<|assistant|>\n{start}';

const harnessFormats = {
  instruct: '{code}\n{instruction}\n\n{start}',
  octocoder: 'Question: {ask}\n\nAnswer:\n{start}',
  octogeex: 'Question: {stripped}\n\nAnswer:\n{start}',
  starchat: '<|system|>\n<|end|>\n<|user|>\n{ask}<|end|>\n<|assistant|>\n{start}',
  starcodercommit: '<commit_before>{code}<commit_msg>{instruction}<commit_after>{start}',
  instructcodet5p: `${ALPACA}\n\n### Instruction:\n{ask}\n\n### Response:{start}`,
  wizardcoder: `${ALPACA}\n\n### Instruction:\n{ask}\n\n### Response:\n{start}`,
  codellama: '[INST] {stripped} [/INST] {start}',
  deepseek:
    'You are an AI programming assistant, utilizing the Deepseek Coder model, developed by Deepseek Company, and you only answer questions related to computer science. For politically sensitive questions, security and privacy issues, and other non-computer science questions, you will refuse to answer\n### Instruction:\n{stripped}\n### Response:\n{start}',
  tulu: TULU,
  gritlm: TULU,
  zephyr: '<|user|>\n{ask}</s>\n<|assistant|>\n{start}',
  yi: CHATML,
  starchat2: CHATML,
  codeqwen: CHATML,
  codegemma: '<start_of_turn>user\n{ask}<end_of_turn>\n<start_of_turn>model\n{start}',
  'codellama-70b': 'Source: user\n\n {stripped} Source: assistant\nDestination: user \n\n{start}',
  'aurora-m': '### Instruction:\n{ask}\n### Response:\n{start}',
  file: '<file_name>\n{file}\n<commit_before>\n{code}\n<commit_msg>\n{instruction}<commit_after>\n{start}',
  diff: '<commit_before>{code}<commit_msg>{instruction}<commit_after>',
  'diff-carper': '<NME> {file}\n<BEF> {code}\n<MSG> {instruction}\n<DFF>',
  issue:
    '<issue_start>username_0: {instruction}\n\n```{code}```\nUpvotes: 100<issue_comment>username_1: Sure, here is the fixed code.\n\n```{start}',
} as const satisfies Readonly<Record<HarnessFormat, string>>;
type HarnessFormat = Exclude<PromptTemplate, 'chat' | 'api'>;

interface FormatParts {
  readonly code: string;
  readonly instruction: string;
  readonly file: string;
  readonly start: string;
}

/** The whole prompt, without white space at its ends, so that the answer starts with a common token. */
function inFormat(format: HarnessFormat, parts: FormatParts): string {
  const ask = `${parts.instruction}\n${parts.code}`;
  const all: Readonly<Record<string, string>> = { ...parts, ask, stripped: strip(ask) };
  return strip(harnessFormats[format].replace(/\{(\w+)\}/g, (mark, name: string) => all[name] ?? mark));
}

/** Where an answer ends in a format: at the language's own stop sequences too, or only at these. */
function formatStops(format: string): { readonly stops: readonly string[]; readonly alone: boolean } {
  switch (format) {
    case 'starchat':
      return { stops: ['<|end|>'], alone: false };
    case 'issue':
      return { stops: ['```'], alone: false };
    case 'diff':
      return { stops: ['<commit_before>', '<commit_msg>', '<commit_after>'], alone: true };
    case 'diff-carper':
      return { stops: ['<BEF>', '<MSG>', '<DFF>', '\\ No newline at end of file'], alone: true };
    default:
      return { stops: [], alone: false };
  }
}

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
  const file = `${entryPoint}.${fileEndings[task.language]}`;
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

/** Stop sequences: the answer ends at the first of these. */
export function stopSequences(language: Language, template: PromptTemplate): readonly string[] {
  const { stops, alone } = formatStops(template);
  return [...(alone ? [] : (languageStops[language] ?? [])), ...stops, '<|endoftext|>'];
}

const languageStops: Partial<Record<Language, readonly string[]>> = {
  python: ['\nclass', '\ndef', '\n#', '\n@', '\nprint', '\nif', '\nassert'],
  go: ['\n//', '\nfunc main(', 'struct', '\nfunc'],
};

/**
 * The white space of Python's `str.strip`; JavaScript's `trim` has fewer control characters, and the byte
 * order mark.
 */
const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const AT_START = new RegExp(`^${SPACE}+`);
const AT_END = new RegExp(`${SPACE}+$`);

/** Python's `text.strip()`. */
export function strip(text: string): string {
  return stripEnd(stripStart(text));
}

/** Python's `text.lstrip()`. */
export function stripStart(text: string): string {
  return text.replace(AT_START, '');
}

/** Python's `text.rstrip()`. */
export function stripEnd(text: string): string {
  return text.replace(AT_END, '');
}
