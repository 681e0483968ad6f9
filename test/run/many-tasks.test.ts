import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import type { TaskOutcome } from '../../lib/core/attempt.ts';
import type { TextModel } from '../../lib/core/ports.ts';
import { type RunRecord, withoutTimes } from '../../lib/core/record.ts';
import { parseRunOptions, type RunOptions } from '../../lib/options/tables/run-options.ts';
import { readManifest } from '../../lib/report/results/manifest.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import type { Job } from '../../lib/run/plan.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { context, partsFor, tasks } from './fakes.ts';

const all = tasks(6);

/** Solves a task depending only on the seed, after an unrelated delay. */
const seededModel: TextModel = {
  name: 'seeded',
  fingerprint: 'sha256:3',
  async generate({ messages, seed }) {
    await wait(Math.random() * 5);
    const task = all.find(({ buggy }) => messages.some(({ content }) => content === buggy));
    const text = (seed % 2 === 0 ? task?.canonical : task?.buggy) ?? '';
    return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
  },
  close: async () => {},
};

const broken: TaskOutcome = {
  state: 'error',
  attempts: [],
  path: ['draft', 'error'],
  cause: { code: 'SANDBOX_FAILED', message: 'It is gone.' },
};

/** Fails at each task the given number of times, then repairs it. */
function breaking(times: Readonly<Record<string, number>>, changed: Partial<RunParts> = {}): RunParts {
  const left = new Map(Object.entries(times));
  const parts = partsFor(all, { createModel: async () => seededModel, ...changed });
  return {
    ...parts,
    repairTask: options => async given => {
      const more = left.get(given.task.id) ?? 0;
      left.set(given.task.id, more - 1);
      return more > 0 ? broken : await parts.repairTask(options)(given);
    },
  };
}

async function runIn(
  folder: string,
  parts: RunParts,
  changed: Partial<RunOptions>,
  events = silentProgress(),
) {
  const out = join(folder, 'r.jsonl');
  const ran = run(parseRunOptions({ out, iters: 0, ...changed }), parts, context({ events }));
  const result = await ran.catch((error: unknown) => error);
  const text = await readFile(out);
  return { result, text: String(text), records: parseRecords(out, text).records };
}

const inOrder = (records: readonly RunRecord[]) =>
  [...records].sort((a, b) => a.index - b.index || a.sample - b.sample).map(withoutTimes);

test('replies that arrive together are processed one by one, with other work in between', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  let asked = 0;
  const model: TextModel = {
    ...seededModel,
    async generate() {
      asked++;
      if (asked === all.length) arrive();
      await arrived;
      return { text: '', promptTokens: 1, completionTokens: 1, finish: 'stop' };
    },
  };
  const parts = partsFor(all, { createModel: async () => model });
  const order: string[] = [];
  let isOver = false;
  const otherWork = (async () => {
    for (; !isOver; order.push('other work')) await setImmediate();
  })();
  const openSandbox: RunParts['openSandbox'] = async (...given) => {
    const sandbox = await parts.openSandbox(...given);
    return {
      ...sandbox,
      execute(request) {
        order.push('reply');
        return sandbox.execute(request);
      },
    };
  };
  await runIn(await temporaryFolder(), { ...parts, openSandbox }, { workers: all.length });
  isOver = true;
  await otherWork;
  expect(order.filter(what => what === 'reply')).toHaveLength(all.length);
  expect(order.filter((what, index) => what === 'reply' && order[index + 1] === 'reply')).toEqual([]);
});

test('the same seed gives the same records with any number of workers', async () => {
  const written = await Promise.all(
    [1, 3, 40].map(async workers =>
      runIn(await temporaryFolder(), breaking({}), { workers, samples: 5, temperature: 0.5, seed: 7 }),
    ),
  );
  const [one, three, many] = written.map(({ records }) => inOrder(records));
  expect(one).toHaveLength(30);
  expect(three).toEqual(one);
  expect(many).toEqual(one);
  const passed = new Set(written[0]?.records.map(record => record.passed));
  expect(passed.size, 'both passes and failures among them').toBe(2);
});

test('runs as many tasks concurrently as there are workers', async () => {
  let [now, max] = [0, 0];
  const events = {
    ...silentProgress(),
    started(job: Job) {
      max = Math.max(max, ++now);
      return { ...silentProgress().started(job), ended: () => now-- };
    },
  };
  await runIn(await temporaryFolder(), breaking({}), { workers: 4, samples: 2 }, events);
  expect(max).toBe(4);
});

test('many workers waiting for an interrupt are not a leak', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  const parts = partsFor(all, {
    createModel: async () => seededModel,
    repairTask: options => async given => {
      const listen = () => {};
      given.signal.addEventListener('abort', listen);
      const outcome = await partsFor(all).repairTask(options)(given);
      given.signal.removeEventListener('abort', listen);
      return outcome;
    },
  });
  await runIn(await temporaryFolder(), parts, { workers: 30, samples: 5, temperature: 0.5 });
  // Warnings are emitted in a later turn.
  await setImmediate();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

describe('a task that fails', () => {
  test('a task that fails once is retried, without a trace in the records', async () => {
    const undisturbed = await runIn(await temporaryFolder(), breaking({}), {});
    const disturbed = await runIn(await temporaryFolder(), breaking({ 'set/2': 1 }), {});
    expect(inOrder(disturbed.records)).toEqual(inOrder(undisturbed.records));
  });

  test('a task with invalid tests is run once: they do not change', async () => {
    const error = { code: 'TESTS_INVALID', message: 'The tests assert nothing.' };
    let runs = 0;
    const parts: RunParts = {
      ...breaking({}),
      repairTask: () => async () => {
        runs++;
        return { ...broken, cause: error };
      },
    };
    const { records } = await runIn(await temporaryFolder(), parts, { limit: 1 });
    expect(records).toMatchObject([{ error }]);
    expect(runs).toBe(1);
  });

  test('a task that fails twice is an error, the others continue, and --resume repeats only it', async () => {
    const folder = await temporaryFolder();
    const parts = breaking({ 'set/1': 2, 'set/4': 4 });
    const first = await runIn(folder, parts, { workers: 2 });
    const states = (records: readonly RunRecord[]) =>
      Object.fromEntries(records.map(({ task_id, error }) => [task_id, error?.code ?? 'judged']));
    const judged = Object.fromEntries(all.map(({ id }) => [id, 'judged']));
    expect(states(first.records)).toEqual({
      ...judged,
      'set/1': 'SANDBOX_FAILED',
      'set/4': 'SANDBOX_FAILED',
    });

    const started: string[] = [];
    const events = {
      ...silentProgress(),
      started(job: Job) {
        started.push(job.task.id);
        return silentProgress().started(job);
      },
    };
    const again = { resume: true };
    const second = await runIn(folder, parts, again, events);
    expect(started).toEqual(['set/1', 'set/4']);
    expect(states(second.records)).toEqual({ ...judged, 'set/4': 'SANDBOX_FAILED' });
    expect(second.result).toMatchObject({ summary: { tasks: 5, errors: { runs: 1 } } });

    const third = await runIn(folder, parts, again);
    expect(states(third.records)).toEqual(judged);
    expect(third.text.split('\n').filter(line => line.includes('"set/4"'))).toHaveLength(3);
  });

  test('five tasks in a row with the same error stop the run, and --resume repeats them', async () => {
    const folder = await temporaryFolder();
    const dead = breaking(Object.fromEntries(all.slice(1).map(({ id }) => [id, 2])));
    const first = await runIn(folder, dead, { maxErrors: 3 });
    expect(first.result).toMatchObject({
      code: 'TOO_MANY_ERRORS',
      message: expect.stringContaining('3 tasks in a row ended in the same error, SANDBOX_FAILED'),
      hint: expect.stringMatching(/--out .*r\.jsonl --resume/),
    });
    expect(first.records.map(({ passed }) => passed === null)).toEqual([false, true, true, true]);
    const second = await runIn(folder, breaking({}), { resume: true });
    expect(second.result).toMatchObject({ summary: { tasks: all.length, errors: { runs: 0 } } });
  });

  test('errors do not stop the run with --max-errors 0', async () => {
    const dead = breaking(Object.fromEntries(all.slice(1).map(({ id }) => [id, 2])));
    const { records } = await runIn(await temporaryFolder(), dead, { maxErrors: 0 });
    expect(records).toHaveLength(all.length);
  });

  test('a task that fails stops the run with --fail-fast, and is recorded', async () => {
    const { result, records } = await runIn(await temporaryFolder(), breaking({ 'set/1': 2 }), {
      failFast: true,
    });
    expect(result).toMatchObject({ code: 'TASK_BROKE', message: expect.stringContaining('set/1') });
    expect(records.map(({ task_id, passed }) => [task_id, passed === null])).toEqual([
      ['set/0', false],
      ['set/1', true],
    ]);
  });
});

test('samples can be added to a finished run', async () => {
  const folder = await temporaryFolder();
  await runIn(folder, breaking({}), { samples: 2 });
  const { records } = await runIn(folder, breaking({}), { samples: 3, resume: true, workers: 3 });
  const whole = await runIn(await temporaryFolder(), breaking({}), { samples: 3 });
  expect(inOrder(records)).toEqual(inOrder(whole.records));
});

test('fewer samples than are recorded are refused', async () => {
  const folder = await temporaryFolder();
  await runIn(folder, breaking({}), { samples: 2, temperature: 0.5 });
  const { result } = await runIn(folder, breaking({}), { samples: 1, temperature: 0.5, resume: true });
  expect(result).toMatchObject({
    code: 'RESUME_MISMATCH',
    message: expect.stringContaining('--samples 2, and this run has 1'),
  });
});

test('with --retry-errors, the manifest keeps the tasks of the run', async () => {
  const folder = await temporaryFolder();
  await runIn(folder, breaking({ 'set/1': 2 }), {});
  const options = { tasks: 'set/1', resume: true, retryErrors: true };
  const { records } = await runIn(folder, breaking({}), options);
  expect(records.every(({ passed }) => passed !== null)).toBe(true);
  const manifest = await readManifest(join(folder, 'r.manifest.json'));
  expect([manifest.options.tasks, manifest.planned]).toEqual([undefined, records.length]);
});

test('a judged task recorded twice is refused', async () => {
  const { text } = await runIn(await temporaryFolder(), breaking({}), {});
  expect(() => parseRecords('r.jsonl', Buffer.from(text + text))).toThrow(
    expect.objectContaining({ code: 'RECORD_REPEATED', message: expect.stringContaining('line 7') }),
  );
});
