import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { serve } from './serve.mjs';

/** hefix's own loop as it is compiled; the recorded token becomes the largest of the logits that the graph computed. */
await serve(async ({ lib, file, config, threads }) => {
  const load = name => import(pathToFileURL(`${lib}/model/${name}.js`).href);
  const { openDecoder } = await load('decoder');
  const { generateTokens } = await load('generate-tokens');
  const decoder = await openDecoder(file, JSON.parse(await readFile(config, 'utf8')), threads);
  return async (prompt, answer) => {
    let passes = 0;
    const forced = {
      ...decoder,
      async forward(ids, cache) {
        passes++;
        const step = await decoder.forward(ids, cache);
        const place = cache.length + ids.length - prompt.length;
        if (place >= 0) step.logits[answer[place]] = 1e9;
        return step;
      },
    };
    const made = [];
    await generateTokens(forced, {
      prompt,
      sampling: { temperature: 0, topP: 1, topK: 0 },
      random: Math.random,
      endIds: new Set(),
      maxNewTokens: answer.length,
      model: 'random',
      onToken: id => made.push(id),
    });
    if (made.join() !== answer.join()) throw new Error('the answer is not the recorded one');
    return passes;
  };
});
