import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { serve } from './serve.mjs';

/**
 * node-llama-cpp with one sequence, which keeps the prefix shared with the previous prompt, as its chat
 * sessions do. A bias on the recorded token, requested with each sampled row, forces it through sampling and
 * verification.
 */
await serve(async ({ peers, model: modelPath, threads, lookup }) => {
  const resolve = createRequire(`${peers}/package.json`).resolve;
  const { getLlama, InputLookupTokenPredictor, TokenBias } = await import(
    pathToFileURL(resolve('node-llama-cpp')).href
  );
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: threads });
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize: 4096, threads, batchSize: 512 });
  const tokenPredictor = lookup ? new InputLookupTokenPredictor() : undefined;
  const sequence = context.getSequence({ tokenPredictor });
  return async (prompt, answer, { temperature, topK, topP }, onFirst) => {
    const before = sequence.tokenPredictions;
    await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
    tokenPredictor?.updateInputTokens(prompt);
    let emitted = 0;
    let rowsOfPass = 0;
    let passes = 0;
    const tokenBias = () => {
      if (rowsOfPass === 0) passes++;
      const forced = answer[Math.min(emitted + rowsOfPass++, answer.length - 1)];
      return TokenBias.for(model).set([forced], { logit: 1e9 });
    };
    const options = { temperature, topK, topP, tokenBias, yieldEogToken: true };
    for await (const token of sequence.evaluate(prompt.slice(sequence.nextTokenIndex), options)) {
      if (token !== answer[emitted]) throw new Error(`token ${emitted} is ${token}, not ${answer[emitted]}`);
      onFirst();
      rowsOfPass = 0;
      if (++emitted === answer.length) break;
    }
    const { validated, refuted } = sequence.tokenPredictions;
    const accepted = validated - before.validated;
    return { passes, drafted: accepted + refuted - before.refuted, accepted };
  };
});
