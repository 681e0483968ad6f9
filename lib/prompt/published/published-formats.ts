import { strip } from '../python-text.ts';

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

export const harnessFormats = {
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
} as const;
export type HarnessFormat = keyof typeof harnessFormats;

export interface FormatParts {
  readonly code: string;
  readonly instruction: string;
  readonly file: string;
  readonly start: string;
}

/** The whole prompt, without white space at its ends, so that the answer starts with a common token. */
export function inFormat(format: HarnessFormat, parts: FormatParts): string {
  const ask = `${parts.instruction}\n${parts.code}`;
  const all: Readonly<Record<string, string>> = { ...parts, ask, stripped: strip(ask) };
  return strip(harnessFormats[format].replace(/\{(\w+)\}/g, (mark, name: string) => all[name] ?? mark));
}

/** Where an answer ends in a format: at the language's own stop sequences too, or only at these. */
export function formatStops(format: string): { readonly stops: readonly string[]; readonly alone: boolean } {
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
