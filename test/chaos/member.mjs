import { setTimeout as wait } from 'node:timers/promises';
import { silentProgress } from '../../dist/lib/cli/terminal/line-progress.js';
import { work } from '../../dist/lib/cli/worker/command.js';
import { parseWorkerOptions } from '../../dist/lib/options/tables/queue-options.js';
import { parseRunOptions } from '../../dist/lib/options/tables/run-options.js';
import { openQueue } from '../../dist/lib/run/queue/bullmq-queue.js';
import { distributeOver } from '../../dist/lib/run/queue/coordinate.js';
import { run } from '../../dist/lib/run/run.js';
import { plusParts } from '../support/plus-tasks.mjs';

/**
 * A process of a run on many machines: `node member.mjs <role> <settings as JSON>`. The agent, the queue and the files
 * are real; the model and the sandbox answer after `milliseconds`, always the same to the same task. Roles: `worker`,
 * `coordinator`, and `alone` for the whole run in one process.
 */
const [role, text] = process.argv.slice(2);
const {
  url,
  out,
  count,
  milliseconds = 20,
  hours = 0,
  poison = [],
  concurrency = 4,
  workers = 8,
  options = {},
} = JSON.parse(text);

if (hours !== 0) {
  // A machine whose clock is wrong.
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [RealDate.now() + hours * 3_600_000] : given));
    }
    static now() {
      return RealDate.now() + hours * 3_600_000;
    }
  };
}

const parts = plusParts(count, {
  delay: async () => {
    if (milliseconds > 0) await wait(milliseconds);
  },
  createModel: async () => ({
    name: 'answering',
    fingerprint: 'sha256:2',
    async generate({ messages }) {
      const said = messages.map(({ content }) => content).join('\n');
      const index = Number(/def plus_(\d+)\(/.exec(said)?.[1]);
      if (poison.includes(index)) process.kill(process.pid, 'SIGKILL');
      const text = `\`\`\`python\ndef plus_${index}(x):\n    return x ${index % 5 === 0 ? '*' : '+'} ${index}\n\`\`\``;
      return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
    },
    close: async () => {},
  }),
});

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const clock = { date: () => new Date(), now: () => performance.now() };
const warned = sentence => console.error(sentence);

if (role === 'worker') {
  await work(parseWorkerOptions({ queue: url, concurrency }), {
    clock,
    events: { ...silentProgress(), warned },
    joined() {},
    worked() {},
    drain: stop.signal,
    giveBack: new AbortController().signal,
    runParts: async () => parts,
  });
  process.exit(0);
} else {
  const queue = role === 'coordinator' ? await openQueue({ queue: url, queueName: 'hefix' }) : undefined;
  const settings = { crashes: 50, lockSeconds: 2, jobsPerMinute: 0, ...options };
  const { summary } = await run(
    parseRunOptions({ out, resume: true, agent: 'one-shot', feedback: 'none', beams: 0, workers }),
    { ...parts, ...(queue && { distribute: distributeOver(queue, settings) }) },
    { events: { ...silentProgress(), warned }, signal: stop.signal, clock },
  );
  await queue?.close();
  console.log(JSON.stringify(summary.errors));
  process.exit(0);
}
