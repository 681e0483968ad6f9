import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { loadDataset } from '../../../dataset/load.ts';
import type { GenerateRequest, Sandbox, TextModel } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { createChatTemplate } from '../../../lib/model/text/chat-template.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';
import { repairTask } from '../../../lib/repair/repair-task.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { sharedData } from '../../support/shared-data.ts';

/** One attempt as a model sees it. */
export interface Stream {
  /** The agent's request. */
  readonly request: GenerateRequest;
  readonly prompt: readonly number[];
  /** The forced answer; its end token is omitted, because not every engine returns it. */
  readonly answer: readonly number[];
}

/** The draft and three repair iterations of one task; the last one passes. */
export interface RecordedRepair {
  readonly task: string;
  readonly streams: readonly Stream[];
}

/**
 * Runs the agent on real tasks with prescribed answers: three candidates, each with another mistake in the
 * buggy function, then the fixed function. The real sandbox judges them, so that the prompts are those of a
 * real run. Null, with a printed reason, if the rows are missing.
 */
export async function recordRepairs(count: number): Promise<readonly RecordedRepair[] | null> {
  const rows = sharedData('humanevalpack/python.even.jsonl.gz');
  const text = await textOfQwen();
  if (rows === null || text === null) return null;
  const { tasks } = await loadDataset(rows, { language: 'python' });
  const sandbox = await createPythonSandbox();
  const repairs: RecordedRepair[] = [];
  try {
    // Neighbours are similar, so tasks are taken from the whole set, and the next one if one is unusable.
    const stride = Math.floor(tasks.length / count);
    for (let part = 0; part < count; part++) {
      for (const task of tasks.slice(part * stride, (part + 1) * stride)) {
        const repair = await recordRepair(task, sandbox, text);
        if (repair === null) continue;
        repairs.push(repair);
        break;
      }
    }
  } finally {
    await sandbox.close();
  }
  return repairs;
}

interface TextOfModel {
  prompt(request: GenerateRequest): readonly number[];
  encode(text: string): readonly number[];
}

/** Qwen2.5's tokenizer.json.gz and tokenizer_config.json. */
export function tokenizerFiles(): [tokenizer: string, config: string] | null {
  const [tokenizer, config] = ['tokenizer.json.gz', 'tokenizer_config.json'].map(name =>
    sharedData(`tokenizers/qwen2.5/${name}`),
  );
  return tokenizer == null || config == null ? null : [tokenizer, config];
}

async function textOfQwen(): Promise<TextOfModel | null> {
  const files = tokenizerFiles();
  if (files === null) return null;
  const [tokenizerFile, configFile] = files;
  const config = JSON.parse(await readFile(configFile, 'utf8'));
  const json = gunzipSync(await readFile(tokenizerFile)).toString('utf8');
  const { encode } = createTokenizer(JSON.parse(json), config, tokenizerFile);
  const render = createChatTemplate({ text: config.chat_template, file: configFile, specialTokens: {} });
  return { encode, prompt: ({ messages, prefill = '' }) => encode(render(messages) + prefill) };
}

/** Null if the function has fewer than three positions for a mistake, or if a mistake passes the tests. */
async function recordRepair(task: Task, sandbox: Sandbox, text: TextOfModel): Promise<RecordedRepair | null> {
  const wrong = mistakes(task);
  if (wrong.length < 3) return null;
  const answers = [...wrong.slice(0, 3), task.canonical].map(
    code => `\`\`\`python\n${code.trimEnd()}\n\`\`\``,
  );
  const streams: Stream[] = [];
  const model: TextModel = {
    name: 'recorded',
    fingerprint: 'recorded',
    async generate(request) {
      const completion = answers[streams.length] ?? '';
      streams.push({ request, prompt: text.prompt(request), answer: text.encode(completion) });
      return { text: completion, promptTokens: 0, completionTokens: 0, finish: 'stop' };
    },
    close: async () => {},
  };
  const { state } = await repairTask({
    task,
    model,
    sandbox,
    options: {
      agent: 'reflect',
      maxIterations: 3,
      feedback: 'tests',
      temperature: { schedule: 'constant', base: 0, step: 0, cap: 1 },
      topP: 1,
      topK: 0,
      maxNewTokens: 512,
      seed: 0,
    },
  });
  return state === 'solved' && streams.length === 4 ? { task: task.id, streams } : null;
}

/** The buggy program with one operator, number or name in its body changed. */
function mistakes({ buggy, declaration }: Task): string[] {
  const start = Math.min(declaration.length, buggy.length);
  const places = [...buggy.slice(start).matchAll(PLACE)].map(({ index, 0: word }) => {
    const at = start + index;
    return buggy.slice(0, at) + (exchange[word] ?? String(Number(word) + 1)) + buggy.slice(at + word.length);
  });
  // From the whole body: the first, a middle one, the last.
  return [...new Set([places[0], places[Math.floor(places.length / 2)], places.at(-1)])].filter(
    place => place !== undefined,
  );
}

const exchange: Readonly<Record<string, string>> = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' == ': ' != ',
  ' != ': ' == ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' * ': ' + ',
  ' and ': ' or ',
  ' or ': ' and ',
  True: 'False',
  False: 'True',
};
const PLACE = / (?:[<>]=?|[=!]=|[-+*]|and|or) |\b(?:True|False|\d+)\b/g;
