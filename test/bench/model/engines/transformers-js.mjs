import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { serve } from './serve.mjs';

/**
 * generate of @huggingface/transformers with a local folder; a logits processor forces the recorded token.
 */
await serve(async ({ peers, folder, name, threads, dtype }) => {
  // Otherwise its onnxruntime sends usage data.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  process.env.ORT_TELEMETRY_DISABLED = '1';
  const resolve = createRequire(`${peers}/package.json`).resolve;
  const { AutoModelForCausalLM, env, LogitsProcessor, LogitsProcessorList, Tensor } = await import(
    pathToFileURL(resolve('@huggingface/transformers')).href
  );
  env.allowRemoteModels = false;
  env.localModelPath = folder;
  const model = await AutoModelForCausalLM.from_pretrained(name, {
    dtype,
    device: 'cpu',
    use_external_data_format: true,
    session_options: { intraOpNumThreads: threads },
  });

  class Forced extends LogitsProcessor {
    constructor(start, answer, onFirst) {
      super();
      this.onFirst = onFirst;
      this.start = start;
      this.answer = answer;
      this.passes = 0;
    }
    _call(inputIds, logits) {
      this.onFirst();
      logits[0].data[this.answer[inputIds[0].length - this.start]] = 1e9;
      this.passes++;
      return logits;
    }
  }

  return async (prompt, answer, { temperature, topK, topP }, onFirst) => {
    const ids = values => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const forced = new Forced(prompt.length, answer, onFirst);
    const processors = new LogitsProcessorList();
    processors.push(forced);
    const output = await model.generate({
      input_ids: ids(prompt),
      attention_mask: ids(Array(prompt.length).fill(1)),
      max_new_tokens: answer.length,
      ...(temperature > 0
        ? { do_sample: true, temperature, top_k: topK, top_p: topP }
        : { do_sample: false }),
      eos_token_id: [],
      logits_processor: processors,
    });
    const made = [...output.data].slice(prompt.length).map(Number);
    if (made.join() !== answer.join()) throw new Error('the answer is not the recorded one');
    return { passes: forced.passes };
  };
});
