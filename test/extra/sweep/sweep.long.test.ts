import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentProgress } from '../../../lib/cli/terminal/line-progress.ts';
import type { TextModel } from '../../../lib/core/ports.ts';
import { sweep } from '../../../lib/extra/sweep/sweep.ts';
import { parseSweepOptions } from '../../../lib/extra/sweep/sweep-options.ts';
import { sweepText } from '../../../lib/report/sweep.ts';
import type { RunParts } from '../../../lib/run/run.ts';
import { context, partsFor, tasks } from '../../run/fakes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'sweep');
});

const all = tasks(4);

/**
 * Solves a task at the request with the task's number: set/0 with the draft, set/2 in the second iteration.
 */
function countingParts() {
  const asked = new Map<string, number>();
  const opened = { models: 0, sandboxes: 0, requests: 0, closed: 0 };
  const model: TextModel = {
    name: 'counting',
    fingerprint: 'sha256:5',
    async generate({ messages }) {
      opened.requests++;
      const task = all.find(({ buggy }) => messages.some(({ content }) => content === buggy));
      const before = asked.get(task?.id ?? '') ?? 0;
      asked.set(task?.id ?? '', before + 1);
      const solved = before % 4 >= Number(task?.id.split('/')[1]);
      if (solved) asked.set(task?.id ?? '', 0);
      return {
        text: (solved ? task?.canonical : task?.buggy) ?? '',
        promptTokens: 1,
        completionTokens: 1,
        finish: 'stop',
      };
    },
    async close() {
      opened.closed++;
    },
  };
  const parts: RunParts = {
    ...partsFor(all),
    async createModel() {
      opened.models++;
      return model;
    },
    async openSandbox(...given) {
      opened.sandboxes++;
      return await partsFor(all).openSandbox(...given);
    },
  };
  return { parts, opened };
}

const sweepWith = (given: Record<string, unknown>, parts: RunParts, signal?: AbortSignal) =>
  sweep(parseSweepOptions({ out: folder, ...given }), parts, {
    ...context(signal ? { signal } : {}),
    display: () => silentProgress(),
  });

describe('a sweep', () => {
  test('is split into one run per combination, with the largest number of iterations', () => {
    const { cells } = parseSweepOptions({
      out: folder,
      iters: '0..2,4',
      agent: 'reflect,one-shot',
      temperature: '0, 0.4,0',
      samples: '5',
    });
    expect(cells.map(({ name, iterations }) => [name, iterations])).toEqual([
      ['reflect-temperature-0', [0, 1, 2, 4]],
      ['reflect-temperature-0.4', [0, 1, 2, 4]],
      ['one-shot-temperature-0', [0]],
      ['one-shot-temperature-0.4', [0]],
    ]);
    expect(cells[1]?.settings).toEqual({ agent: 'reflect', temperature: 0.4 });
    expect(cells[1]?.options).toMatchObject({ iters: 4, temperature: 0.4, samples: 5, agent: 'reflect' });
  });

  test('has a run per number of iterations if only the last candidate is judged by the tests', () => {
    const { cells } = parseSweepOptions({ out: folder, iters: '0,2', feedback: 'tests,examples' });
    expect(cells.map(({ name, iterations, options }) => [name, iterations, options.iters])).toEqual([
      ['reflect-feedback-tests', [0, 2], 2],
      ['reflect-feedback-examples-iters-0', [0], 0],
      ['reflect-feedback-examples-iters-2', [2], 2],
    ]);
  });

  test('runs an agent once if it ignores the options that vary', () => {
    const { cells } = parseSweepOptions({
      out: folder,
      iters: '0..2',
      agent: 'reflect,search,one-shot',
      temperature: '0,0.4',
      schedule: 'ramp,constant',
      budget: '50',
    });
    expect(cells.map(({ name, iterations }) => [name, iterations])).toEqual([
      ['reflect-temperature-0-schedule-ramp', [0, 1, 2]],
      ['reflect-temperature-0-schedule-constant', [0, 1, 2]],
      ['reflect-temperature-0.4-schedule-ramp', [0, 1, 2]],
      ['reflect-temperature-0.4-schedule-constant', [0, 1, 2]],
      ['search-temperature-0', [0]],
      ['search-temperature-0.4', [0]],
      ['one-shot-temperature-0', [0]],
      ['one-shot-temperature-0.4', [0]],
    ]);
    expect(cells[4]?.options).toMatchObject({ agent: 'search', budget: 50, feedback: 'examples' });
    expect(cells[4]?.settings).toEqual({ agent: 'search', temperature: 0 });
    expect(() => parseSweepOptions({ out: folder, budget: '50', agent: 'tools' })).toThrow(
      '--budget and --agent tools cannot be combined.',
    );
  });

  test('uses the agent’s own number of iterations by default', () => {
    expect(parseSweepOptions({ out: folder }).cells[0]?.iterations).toEqual([0, 1, 2, 3]);
  });

  test.each([
    [{ iters: '0..x' }, '--iters is "0..x", expected whole numbers from 0 to 1000, such as 0..5 or 0,3,5.'],
    [{ iters: '3..1' }, '--iters is "3..1", expected whole numbers'],
    [{ iters: '1001' }, '--iters is "1001", expected whole numbers'],
    [{ temperature: '0,warm' }, '--temperature is "warm", expected a number from 0 to 2.'],
    [{ agent: 'reflect,best' }, '--agent is "best", expected one of'],
    [{ out: undefined, resume: true }, '--resume requires --out.'],
    [{ out: ' ' }, '--out is " ", expected the path of a folder.'],
  ])('refuses %j', (given, message) => {
    expect(() => parseSweepOptions({ out: folder, ...given })).toThrow(message);
  });

  test('writes one folder; one run covers all numbers of iterations, with one model and one sandbox', async () => {
    const { parts, opened } = countingParts();
    const result = await sweepWith({ iters: '0,1,3', temperature: '0,0.5' }, parts);
    // Each of the two runs needs 1 + 2 + 3 + 4 requests to solve all four tasks.
    expect(opened).toEqual({ models: 1, sandboxes: 1, requests: 20, closed: 1 });
    expect(
      result.rows.map(({ settings, iterations, value }) => [settings.temperature, iterations, value]),
    ).toEqual([
      [0, 0, 0.25],
      [0, 1, 0.5],
      [0, 3, 1],
      [0.5, 0, 0.25],
      [0.5, 1, 0.5],
      [0.5, 3, 1],
    ]);
    // Requests: 1 each for the drafts; 1, 2, 2, 2 within one iteration; 1, 2, 3, 4 within three.
    expect(result.rows.slice(0, 3).map(row => row.completion_tokens_per_run)).toEqual([1, 7 / 4, 10 / 4]);
    expect(JSON.parse(await readFile(join(folder, 'sweep.json'), 'utf8'))).toEqual(result);
    const csv = (await readFile(join(folder, 'sweep.csv'), 'utf8')).split('\n');
    expect(csv[0]).toBe(
      'agent,temperature,iterations,k,with_test_feedback,chosen_with,tasks,runs,value,low,high,completion_tokens_per_run,seconds_per_run',
    );
    expect(csv[2]).toMatch(/^reflect,0,1,1,true,nothing,4,4,0\.5,0\.15\d*,0\.84\d*,1\.75,/);
    expect(sweepText(result.rows)).toMatchInlineSnapshot(`
      "agent    temperature  iterations  solved (95% interval)  tokens  seconds
      reflect  0            0           25.0% (4.6–69.9%)      1       1.3
      reflect  0            1 *         50.0% (15.0–85.0%)     2       2.2
      reflect  0            3 *         100.0% (51.0–100.0%)   3       3.1
      reflect  0.5          0           25.0% (4.6–69.9%)      1       1.3
      reflect  0.5          1 *         50.0% (15.0–85.0%)     2       2.2
      reflect  0.5          3 *         100.0% (51.0–100.0%)   3       3.1
      unmarked: pass@1
      * solved within so many iterations, with test feedback
      "
    `);
  });

  test('resumes where it stopped, and repeats nothing', async () => {
    const { parts, opened } = countingParts();
    const controller = new AbortController();
    const given = { iters: '0..3', temperature: '0,0.5' };
    const stopped = sweepWith(
      given,
      {
        ...parts,
        repairTask: options => async work => {
          if (options.temperature === 0.5 && work.task.id === 'set/1') controller.abort();
          return await parts.repairTask(options)(work);
        },
      },
      controller.signal,
    );
    await expect(stopped).rejects.toMatchObject({
      code: 'INTERRUPTED',
      message: expect.stringContaining('1 of 2 runs'),
    });
    const before = opened.requests;
    await expect(sweepWith(given, parts)).rejects.toMatchObject({ code: 'OUT_EXISTS' });
    const { rows } = await sweepWith({ ...given, resume: true }, countingParts().parts);
    expect(rows).toHaveLength(8);
    expect(opened.requests).toBe(before);
    expect(rows.at(-1)).toMatchObject({ value: 1, tasks: 4 });
  });

  test('a sweep that stops after too many errors is resumed as a whole', async () => {
    const { parts } = countingParts();
    const outcome = {
      state: 'error' as const,
      attempts: [],
      path: [],
      cause: { code: 'SANDBOX_FAILED', message: 'No room.' },
    };
    const stopped = sweepWith(
      { iters: '1', maxErrors: '2' },
      { ...parts, repairTask: () => async () => outcome },
    );
    await expect(stopped).rejects.toMatchObject({
      code: 'TOO_MANY_ERRORS',
      hint: expect.stringMatching(/^(?!.*--out).*the same command with --resume/),
    });
  });
});
