import { loadDataset } from '../../../dataset/load.ts';
import type { TextModel } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { readModelTexts } from '../../../lib/model/model-folder.ts';
import { createOnnxModel } from '../../../lib/model/onnx/onnx-model.ts';
import { createChatTemplate } from '../../../lib/model/text/chat-template.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';
import { repairTask } from '../../../lib/repair/repair-task.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import type { Stream } from '../model/recorded-repairs.ts';

export interface RecordedAnswer extends Stream {
  readonly task: string;
  readonly mode: 'greedy' | 'sampled';
}

/**
 * What a model writes when hefix repairs tasks of `mini` with it: of each task a draft and an iteration, greedy for
 * every other task and sampled for the rest, of up to `tokens` tokens. folder: with a graph in fp32.
 */
export async function recordAnswers(
  folder: string,
  { tasks: count, tokens, threads }: { readonly tasks: number; readonly tokens: number; threads: number },
): Promise<RecordedAnswer[]> {
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(folder);
  const { encode } = createTokenizer(tokenizer, tokenizerConfig, folder);
  const render = createChatTemplate(chatTemplate);
  const { tasks } = await loadDataset('mini', { language: 'python' });
  const sandbox = await createPythonSandbox();
  const model = await createOnnxModel({ folder, weightType: 'fp32', threads });
  const recorded: RecordedAnswer[] = [];
  const recording = (task: string, mode: RecordedAnswer['mode']): TextModel => ({
    ...model,
    async generate(request, options) {
      const completion = await model.generate(request, options);
      const prompt = encode(render(request.messages) + (request.prefill ?? ''));
      const answer = encode(completion.text).slice(0, completion.completionTokens);
      // One token says nothing about the time of the next.
      if (answer.length > 1) recorded.push({ task, mode, request, prompt, answer });
      return completion;
    },
  });
  try {
    // Neighbours are similar.
    const stride = Math.floor(tasks.length / count);
    for (let index = 0; index < count; index++) {
      const task = tasks[index * stride];
      const mode = index % 2 === 0 ? 'greedy' : 'sampled';
      if (task) await repair(task, recording(task.id, mode), mode);
    }
  } finally {
    await model.close();
    await sandbox.close();
  }
  return recorded;

  async function repair(task: Task, recorder: TextModel, mode: RecordedAnswer['mode']) {
    const base = mode === 'greedy' ? 0 : 0.8;
    await repairTask({
      task,
      model: recorder,
      sandbox,
      options: {
        agent: 'reflect',
        answer: 'whole',
        maxIterations: 1,
        feedback: 'tests',
        temperature: { schedule: 'constant', base, step: 0, cap: 1 },
        topP: 0.95,
        topK: 50,
        maxNewTokens: tokens,
        seed: 0,
      },
    });
  }
}
