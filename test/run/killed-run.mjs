import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { silentProgress } from '../../dist/lib/cli/terminal/line-progress.js';
import { parseRunOptions } from '../../dist/lib/options/tables/run-options.js';
import { run } from '../../dist/lib/run/run.js';
import { plusParts } from '../support/plus-tasks.mjs';

/**
 * A run to be killed: the real agent and files, with a model and a sandbox that start instantly. `node
 * killed-run.mjs <tasks> <steps> <log> <options as JSON>`; each answer of the model is a line of the log. It
 * reports its start and each answer with a line on stdout.
 */
const [count, steps, log, given] = process.argv.slice(2);

const parts = plusParts(Number(count), {
  delay: () => wait(Math.random() * 4),
  createModel: async () => ({
    name: 'counting',
    fingerprint: 'sha256:2',
    async generate({ messages }) {
      const said = messages.map(({ content }) => content).join('\n');
      const [, task] = /def plus_(\d+)\(/.exec(said) ?? [];
      const wrong = [...said.matchAll(/- 70(\d)/g)].map(([, step]) => Number(step));
      const step = wrong.length === 0 ? 0 : Math.max(...wrong) + 1;
      await wait(Math.random() * 8);
      appendFileSync(log, `${task} ${step}\n`);
      console.log('answered');
      const body = step === steps - 1 ? `x + ${task}` : `x * ${task} - 70${step}`;
      const text = `\`\`\`python\ndef plus_${task}(x):\n    return ${body}\n\`\`\``;
      return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
    },
    close: async () => {},
  }),
});

const clock = { date: () => new Date(), now: () => performance.now() };
const { signal } = new AbortController();
console.log('begins');
await run(parseRunOptions(JSON.parse(given)), parts, { events: silentProgress(), signal, clock });
