import { silentProgress } from '../../../dist/lib/cli/terminal/line-progress.js';
import { parseRunOptions } from '../../../dist/lib/options/tables/run-options.js';
import { createServerBackend } from '../../../dist/lib/run/model/server-backend.js';
import { run } from '../../../dist/lib/run/run.js';
import { plusParts } from '../../support/plus-tasks.mjs';

/**
 * A run against a model server: `node --expose-gc client.mjs <settings as JSON>`. The agent, the requests and the records
 * are real; verdicts cost nothing, so that the requests are what is measured. Sends a sample of time and memory after
 * each quarter of the tasks.
 */
const { baseUrl, out, count, workers } = JSON.parse(process.argv[2]);
const options = parseRunOptions({ backend: 'openai', model: 'coder', baseUrl, workers, iters: 0, out });
const createModel = async () => createServerBackend(options, {}, { warn() {} });
const parts = plusParts(count, { createModel });

let done = 0;
const ended = () => {
  done++;
  if (done % (count / 4) === 0) process.send(sample());
};
const silent = silentProgress();
const events = { ...silent, started: job => ({ ...silent.started(job), ended }) };
const signal = new AbortController().signal;
const clock = { date: () => new Date(), now: () => performance.now() };
process.send(sample());
await run(options, parts, { events, signal, clock });
process.disconnect();

function sample() {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return { done, at: performance.now(), processor: (user + system) / 1000, rss, live: heapUsed + external };
}
