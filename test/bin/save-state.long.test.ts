import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutTimes } from '../../lib/core/record.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { type Answer, type ReceivedRequest, startServer, whole } from '../model/server/test-server.ts';
import { hefix, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** For each task, all answers except the last are wrong, each in another way. */
const STEPS = 4;

/** Identifies an answer by the wrong one in the prompt; 0 is the draft. */
function stepOf({ body }: ReceivedRequest): { task: string; step: number } {
  const messages = JSON.stringify(body.messages);
  const task = /def plus_(\d+)\(/.exec(messages)?.[1] ?? '';
  const wrong = [...messages.matchAll(/- 70(\d)/g)].map(([, step]) => Number(step));
  return { task, step: wrong.length === 0 ? 0 : Math.max(...wrong) + 1 };
}

const answer: Answer = (response, request) => {
  const { task, step } = stepOf(request);
  const body = step === STEPS - 1 ? `x + ${task}` : `x * ${task} - 70${step}`;
  return whole(`\`\`\`python\ndef plus_${task}(x):\n    return ${body}\n\`\`\``)(response, request);
};

async function setUp(tasks: number, server: { baseUrl: string }) {
  const folder = await temporaryFolder();
  const { dataset } = await writeSmallSet(folder, tasks);
  const states = join(folder, 'states');
  const args = ['--backend', 'openai', '--model', 'coder', '--base-url', server.baseUrl, '--quiet'];
  const set = ['--dataset', dataset, '--iters', String(STEPS - 1)];
  const start = (out: string, more: readonly string[] = []) =>
    hefix([...args, ...set, '--out', join(folder, out), ...more], {
      cwd: folder,
      env: { OPENAI_API_KEY: 'none' },
    });
  const records = async (out: string) => {
    const path = join(folder, out);
    const { records: found } = parseRecords(path, await readFile(path));
    return found.sort((a, b) => a.index - b.index).map(withoutTimes);
  };
  return { states, start, records };
}

test('resumes a task midway, and repeats only the interrupted request', async () => {
  let hold = -1;
  let reached = (_: unknown) => {};
  const server = await startServer((response, request) => {
    if (stepOf(request).step !== hold) return answer(response, request);
    reached(undefined);
  });
  const { states, start, records } = await setUp(1, server);
  await start('undisturbed.jsonl');
  const whole = server.requests.length;
  expect(whole).toBe(STEPS);

  for (hold = 1; hold < STEPS; hold++) {
    const held = new Promise(resolve => {
      reached = resolve;
    });
    const running = start('r.jsonl', ['--save-state', states, '--resume']);
    await Promise.race([held, running.then(({ stderr }) => Promise.reject(new Error(String(stderr))))]);
    running.kill('SIGKILL');
    await running;
  }
  hold = -1;
  const last = await start('r.jsonl', ['--save-state', states, '--resume']);
  expect([last.exitCode, last.stderr]).toEqual([0, '']);
  const asked = server.requests.slice(whole).map(request => stepOf(request).step);
  expect(asked).toEqual([0, 1, 1, 2, 2, 3, 3]);
  expect(await records('r.jsonl')).toEqual(await records('undisturbed.jsonl'));
  expect(await readdir(states)).toEqual([]);
});
