import type { RunOptions } from './run-options.ts';

/** How an option is written and explained; the parser and `--help` read the same table. */
export interface Flag {
  /** `-i, --iters <n>`: the last long name is the one that errors use; the value of `--cache [folder]` may be left out. */
  readonly flags: string;
  readonly group: 'Model' | 'Server' | 'Data' | 'Agent' | 'Sampling' | 'Sandbox' | 'Output';
  readonly about: string;
}

export const runFlags: Readonly<Record<keyof RunOptions, Flag>> = {
  model: {
    flags: '-m, --model <name>',
    group: 'Model',
    about: 'short name, hub id or folder; see hefix models',
  },
  backend: {
    flags: '--backend <name>',
    group: 'Model',
    about: 'onnx, openai (a server), scripted (replays --model)',
  },
  dtype: {
    flags: '--dtype <type>',
    group: 'Model',
    about: 'of the weights: auto, fp32, q8, q4, q4-128, w8a8',
  },
  device: { flags: '--device <name>', group: 'Model', about: 'cpu, cuda, webgpu, coreml, dml' },
  threads: {
    flags: '--threads <n>',
    group: 'Model',
    about: 'of the arithmetic (default: the physical cores)',
  },
  noLookup: {
    flags: '--no-lookup',
    group: 'Model',
    about: 'draft no tokens from the prompt; slower, the same answers',
  },
  cache: {
    flags: '--cache [folder]',
    group: 'Model',
    about: 'keep answers on disk and ask for none twice',
  },
  provider: {
    flags: '--provider <name>',
    group: 'Server',
    about: 'openai, together, huggingface or ollama (default: openai)',
  },
  baseUrl: {
    flags: '--base-url <url>',
    group: 'Server',
    about: 'of another OpenAI-compatible server; usually ends in /v1',
  },
  apiKeyEnv: {
    flags: '--api-key-env <name>',
    group: 'Server',
    about: 'variable that holds the key or keys (default: the provider’s)',
  },
  maxTries: { flags: '--max-tries <n>', group: 'Server', about: 'of one request' },
  requestTimeout: { flags: '--request-timeout <seconds>', group: 'Server', about: 'of one try' },
  idleTimeout: {
    flags: '--idle-timeout <seconds>',
    group: 'Server',
    about: 'of one try, without a byte of the answer',
  },
  maxWait: {
    flags: '--max-wait <seconds>',
    group: 'Server',
    about: 'of one request, while the server limits the rate of requests',
  },
  maxConcurrency: { flags: '--max-concurrency <n>', group: 'Server', about: 'requests in flight at once' },
  omit: {
    flags: '--omit <parameters>',
    group: 'Server',
    about: 'not to send, for servers that refuse them: seed,top_p',
  },
  priceIn: { flags: '--price-in <price>', group: 'Server', about: 'of a million prompt tokens' },
  priceOut: { flags: '--price-out <price>', group: 'Server', about: 'of a million completion tokens' },
  dataset: {
    flags: '-d, --dataset-path, --dataset <name>',
    group: 'Data',
    about: 'bundled name, humanevalpack, hub id, .parquet, .jsonl or .jsonl.gz file',
  },
  lang: { flags: '--lang <language>', group: 'Data', about: 'language of the tasks' },
  limit: { flags: '--ts, --max, --limit <n>', group: 'Data', about: 'only the first n tasks' },
  tasks: {
    flags: '--tasks <ids>',
    group: 'Data',
    about: 'only these: ids or globs, separated by commas',
  },
  shard: {
    flags: '--shard <i/n>',
    group: 'Data',
    about: 'only every n-th task, from the i-th on; hefix merge joins the parts',
  },
  iters: { flags: '-i, --iters <n>', group: 'Agent', about: 'repair iterations after the draft' },
  agent: {
    flags: '--agent <name>',
    group: 'Agent',
    about: 'reflect, react, tools (calls), search, one-shot',
  },
  feedback: {
    flags: '--feedback <kind>',
    group: 'Agent',
    about: 'learnt between attempts: tests, examples, none',
  },
  answer: {
    flags: '--answer <format>',
    group: 'Agent',
    about: 'auto (as the model was taught), whole, edit',
  },
  candidates: {
    flags: '--candidates <k>',
    group: 'Agent',
    about: 'samples of each prompt; the examples and told assertions choose one',
  },
  noExamples: {
    flags: '--no-examples',
    group: 'Agent',
    about: 'do not try candidates on the docstring’s examples before the tests',
  },
  searchSeconds: {
    flags: '--search-seconds <s>',
    group: 'Agent',
    about: 'processor time that a task’s search and prescreen may take',
  },
  budget: {
    flags: '--budget <n>',
    group: 'Agent',
    about: 'enumerated edits among the candidates, at most; 0 for none',
  },
  noRank: {
    flags: '--no-rank',
    group: 'Agent',
    about: 'try candidates in a fixed order, not by the model’s likelihoods',
  },
  fewShot: {
    flags: '--few-shot <n>',
    group: 'Agent',
    about: 'worked examples that each prompt begins with',
  },
  prompt: {
    flags: '--prompt <name>',
    group: 'Agent',
    about: 'agent; published: humanevalfixtests, humanevalfixdocs',
  },
  template: {
    flags: '--template <name>',
    group: 'Agent',
    about: 'chat, api, or a format of the harness: octocoder, zephyr, …',
  },
  protocolDefaults: {
    flags: '--protocol-defaults',
    group: 'Agent',
    about: 'as published: temperature 0.2, top-p 0.95, 20 samples, 2048 tokens',
  },
  temperature: { flags: '--temperature <t>', group: 'Sampling', about: 'of the draft; 0 is greedy' },
  schedule: {
    flags: '--schedule <name>',
    group: 'Sampling',
    about: 'ramp (ever warmer), anneal (cooler), constant',
  },
  temperatureStep: {
    flags: '--temperature-step <t>',
    group: 'Sampling',
    about: 'how much warmer or cooler from one to the next',
  },
  topP: { flags: '--top-p <p>', group: 'Sampling', about: 'probability mass kept; 1 keeps all' },
  topK: { flags: '--top-k <k>', group: 'Sampling', about: 'tokens kept; 0 keeps all' },
  maxNewTokens: {
    flags: '--max-new-tokens <n>',
    group: 'Sampling',
    about: 'cap on the tokens of one completion',
  },
  maxLength: {
    flags: '--max-length <n>',
    group: 'Sampling',
    about: 'cap on the tokens of a prompt and its completion together',
  },
  thinking: {
    flags: '--thinking',
    group: 'Sampling',
    about: 'let a model that can, as Qwen3, think before it answers; takes tokens',
  },
  beams: { flags: '--beams <n>', group: 'Sampling', about: 'try the likeliest answers in turn; 0: sample' },
  beamPrompt: {
    flags: '--beam-prompt <name>',
    group: 'Sampling',
    about: 'each (ask again with the failure), first (take its next answer)',
  },
  seed: { flags: '--seed <n>', group: 'Sampling', about: 'same options and seed, same records' },
  samples: {
    flags: '-n, --samples <n>',
    group: 'Sampling',
    about: 'independent runs of each task, for pass@k',
  },
  workers: {
    flags: '--workers <n>',
    group: 'Agent',
    about: 'tasks in flight at once; WORKERS sets the default',
  },
  timeout: { flags: '--timeout <seconds>', group: 'Sandbox', about: 'of one execution' },
  memory: { flags: '--memory <MiB>', group: 'Sandbox', about: 'of one execution' },
  sandbox: {
    flags: '--sandbox <kind>',
    group: 'Sandbox',
    about: 'process; docker: a warm container, for Python',
  },
  isolation: {
    flags: '--isolation <level>',
    group: 'Sandbox',
    about: 'bubblewrap, namespaces, ulimit (default: strongest here)',
  },
  requireIsolation: {
    flags: '--require-isolation',
    group: 'Sandbox',
    about: 'refuse the weakest level, ulimit',
  },
  out: {
    flags: '--out <file>',
    group: 'Output',
    about: 'records, one JSON object a line (default: results/…)',
  },
  visualize: {
    flags: '--visualize',
    group: 'Output',
    about: 'also draw a report beside the records: .html and .png',
  },
  resume: {
    flags: '--resume',
    group: 'Output',
    about: 'continue --out: skip judged tasks, run errors again',
  },
  saveState: {
    flags: '--save-state <folder>',
    group: 'Output',
    about: 'keep where each task stands; --resume goes on in its middle',
  },
  retryErrors: {
    flags: '--retry-errors',
    group: 'Output',
    about: 'with --resume: run only the tasks in error again',
  },
  maxErrors: {
    flags: '--max-errors <n>',
    group: 'Output',
    about: 'stop after n tasks in a row with the same error; 0: never',
  },
  failFast: { flags: '--fail-fast', group: 'Output', about: 'stop at the first task that breaks twice' },
  verbose: { flags: '-v, --verbose', group: 'Output', about: 'show each node, its text, verdict and diff' },
  quiet: { flags: '--quiet', group: 'Output', about: 'nothing but errors and the summary' },
  inspect: { flags: '--inspect', group: 'Output', about: 'show the live machine on a page of this machine' },
  inspectContent: {
    flags: '--inspect-content',
    group: 'Output',
    about: 'with --inspect: also prompts, answers and code',
  },
};
