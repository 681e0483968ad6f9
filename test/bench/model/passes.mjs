import { readFileSync, statSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Opens a decoder in a thread, as models are, with a prompt of 384 tokens, lets it take passes of one token, and prints
 * what the process holds as JSON. Sizes are in MiB, collections in milliseconds. Arguments: hefix's compiled library, the
 * .onnx file, passes.
 */
const [lib, file, passes] = process.argv.slice(2);
if (isMainThread) {
  const { startSteadyThread } = await import(`file://${lib}/model/onnx/steady-thread.js`);
  startSteadyThread(new URL(import.meta.url), { argv: process.argv.slice(2) });
} else {
  await measure();
}

async function measure() {
  const { openDecoder } = await import(`file://${lib}/model/onnx/decoder.js`);
  const { prefill } = await import(`file://${lib}/model/onnx/prefill.js`);
  const config = JSON.parse(readFileSync(`${file}.config.json`, 'utf8'));
  const collections = [];
  const before = process.memoryUsage().rss;
  const { empty } = await openDecoder(file, config, { threads: 1, device: 'cpu' });
  const prompt = Array.from({ length: 384 }, (_, index) => (index * 7919) % config.vocab_size);
  const sequence = empty.fork(0);
  await prefill(sequence, prompt);
  new PerformanceObserver(list =>
    collections.push(...list.getEntries().map(entry => entry.duration)),
  ).observe({
    entryTypes: ['gc'],
  });
  const start = process.cpuUsage();
  for (let pass = 0; pass < Number(passes); pass++) {
    await sequence.append([pass % 1000], 1);
    sequence.truncate(prompt.length + (pass >> 3));
  }
  const { user, system } = process.cpuUsage(start);
  // The observer is called later.
  await new Promise(resolve => setTimeout(resolve, 50));
  const mebibytes = bytes => Math.round(bytes / 2 ** 20);
  const size = statSync(file).size + statSync(`${file}_data`).size;
  const resident = process.memoryUsage().rss - before;
  console.log(
    JSON.stringify({
      file: mebibytes(size),
      caches: mebibytes(sequence.bytes),
      resident: mebibytes(resident),
      'resident / file': ((resident - sequence.bytes) / size).toFixed(2),
      'processor ms a pass': ((user + system) / 1000 / passes).toFixed(1),
      collections: collections.length,
      'longest ms': Math.max(0, ...collections).toFixed(1),
      'over 5 ms': collections.filter(milliseconds => milliseconds > 5).length,
    }),
  );
}
