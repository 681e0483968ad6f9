import { pathToFileURL } from 'node:url';
import { serve } from './serve.mjs';

/**
 * hefix's compiled model, from messages to text. onnxruntime's results stay unchanged, except for the logit
 * of the recorded token, which is made the largest in its row.
 */
await serve(async ({ lib, folder, weightType, threads, lookup }) => {
  const load = path => import(pathToFileURL(`${lib}/model/${path}`).href);
  const { InferenceSession } = await load('onnx/runtime.js');
  const current = { prompt: [], answer: [], passes: 0, onFirst() {} };
  const { run } = InferenceSession.prototype;
  InferenceSession.prototype.run = async function (feeds, ...rest) {
    const outputs = await run.call(this, feeds, ...rest);
    current.passes++;
    force(outputs.logits, Number(feeds.position_ids.data.at(-1)) + 1, current);
    return outputs;
  };
  const { loadLanguageModel } = await load('language-model.js');
  const model = await loadLanguageModel({
    name: 'random',
    folder,
    weightType,
    threads,
    device: 'cpu',
    lookup,
  });
  return async (prompt, answer, request, onFirst) => {
    Object.assign(current, { prompt, answer, passes: 0, onFirst });
    const { promptTokens, completionTokens, drafted, accepted } = await model.generate({
      ...request,
      maxNewTokens: answer.length,
    });
    if (promptTokens !== prompt.length) throw new Error('the prompt is not the recorded one');
    if (completionTokens !== answer.length)
      throw new Error(`${completionTokens} tokens, not ${answer.length}`);
    return { passes: current.passes, drafted, accepted };
  };
});

function largest(logits) {
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) if (logits[id] > highest) highest = logits[id];
  return highest;
}

/** logits: [1, rows, vocabulary], the last rows of all `tokens` so far; each row predicts the next token. */
function force({ data, dims }, tokens, { prompt, answer, onFirst }) {
  const [, rows, vocabulary] = dims;
  for (let row = 0; row < rows; row++) {
    const place = tokens - rows + row + 1 - prompt.length;
    if (place < 0 || place >= answer.length) continue;
    onFirst();
    const start = row * vocabulary;
    // More than the share that top-p keeps, and not so much that sampling takes another course than in use.
    data[start + answer[place]] = largest(data.subarray(start, start + vocabulary)) + 8;
  }
}
