import type { Language } from './task.ts';

/** Values of options that are used outside the options too: by machines, prompts, records and reports. */

/** The names of the agents. */
export const agentNames = ['reflect', 'react', 'tools', 'search', 'one-shot'] as const;
export type AgentName = (typeof agentNames)[number];

/** The agent in reports; samples that were made elsewhere have none. */
export function agentLabel(manifest: {
  readonly options: { readonly agent: string };
  readonly scored?: object | undefined;
}): string {
  return manifest.scored === undefined ? manifest.options.agent : 'none (scored)';
}

/** The form of the model's answers: the whole function, or edits of a few lines. */
export const answerFormats = ['whole', 'edit'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

/**
 * What the agent sees between attempts: the hidden tests' results, only the docstring's examples, or nothing
 * that comes from running code.
 */
export const feedbacks = ['tests', 'examples', 'none'] as const;
export type Feedback = (typeof feedbacks)[number];

/**
 * The protocols of published HumanEvalFix results, for comparable numbers. The prompts' contents, their order
 * and the stop sequences are those of https://github.com/bigcode-project/bigcode-evaluation-harness
 * (bigcode_eval/tasks/humanevalpack.py) and OctoPack (arXiv:2308.07124). `humanevalfixtests` shows the hidden
 * tests; the other protocol shows the docstring.
 */
export const protocols = ['humanevalfixtests', 'humanevalfixdocs'] as const;
export type Protocol = (typeof protocols)[number];

/** The forms in which a machine is printed. */
export const machineFormats = ['mermaid', 'stately', 'json', 'ascii'] as const;
export type MachineFormat = (typeof machineFormats)[number];

/** The colours of a report. */
export const themeNames = ['light', 'dark'] as const;
export type ThemeName = (typeof themeNames)[number];

/** The task sets that ship with hefix, built by `dataset/build`. */
export const bundledDatasets: ReadonlyMap<string, Language> = new Map([
  ['mini', 'python'],
  ['bogus', 'python'],
  ['mini-js', 'js'],
  ['mini-go', 'go'],
  ['mini-rust', 'rust'],
  ['mini-cpp', 'cpp'],
  ['mini-java', 'java'],
]);

/** The execution providers of onnxruntime-node that hefix supports. Availability depends on the platform. */
export const devices = ['cpu', 'cuda', 'webgpu', 'coreml', 'dml'] as const;
export type Device = (typeof devices)[number];

/** Sampling parameters of the chat completions API, which a server may not support. */
export const samplingParameters = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'max_tokens',
  'tools',
  'chat_template_kwargs',
  'reasoning_effort',
] as const;
export type SamplingParameter = (typeof samplingParameters)[number];

/** Number of worked examples per language. */
export const MAX_EXAMPLES = 4;

/**
 * The format of the request: `chat` uses the model's own chat template with a prefilled answer; `api` follows
 * the harness's script for chat APIs, without a prefill or tests; the others are formats of the harness.
 */
export const promptTemplates = [
  'chat',
  'api',
  'instruct',
  'octocoder',
  'octogeex',
  'starchat',
  'starcodercommit',
  'instructcodet5p',
  'wizardcoder',
  'codellama',
  'deepseek',
  'tulu',
  'gritlm',
  'zephyr',
  'yi',
  'starchat2',
  'codeqwen',
  'codegemma',
  'codellama-70b',
  'aurora-m',
  'file',
  'diff',
  'diff-carper',
  'issue',
] as const;
export type PromptTemplate = (typeof promptTemplates)[number];

/** What may differ between a worker and its run if the user says so. */
export const allowedDifferences = ['dataset', 'model', 'prompts', 'isolation', 'hefix', 'python'] as const;

export type AllowedDifference = (typeof allowedDifferences)[number];
