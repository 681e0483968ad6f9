import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import type { TaskOutcome } from '../../lib/core/attempt.ts';
import type { TextModel } from '../../lib/core/ports.ts';
import { type RunRecord, withoutTimes } from '../../lib/core/record.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { parseRunOptions, type RunOptions } from '../../lib/options/tables/run-options.ts';
import { manifestSchema } from '../../lib/report/results/manifest.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import type { Job } from '../../lib/run/plan.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { context, partsFor, tasks } from './fakes.ts';

let folder: string;
let out: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  out = join(folder, 'deep', 'r.jsonl');
});

function optionsWith(changed: Partial<RunOptions> = {}): RunOptions {
  return parseRunOptions({ out, ...changed });
}

const unasked = () => Promise.reject(new Error('not asked'));

async function recordsIn(path: string): Promise<RunRecord[]> {
  return parseRecords(path, await readFile(path)).records;
}

describe('a run', () => {
  test('writes a record of each task, and the manifest next to them', async () => {
    const result = await run(optionsWith(), partsFor(tasks(3)), context());
    expect(result.summary).toMatchObject({ tasks: 3, solved: 3 });
    expect((await recordsIn(out)).map(record => record.task_id)).toEqual(['set/0', 'set/1', 'set/2']);
    expect(manifestSchema.parse(JSON.parse(await readFile(result.manifest, 'utf8')))).toMatchObject({
      model: { name: 'script' },
      dataset: { name: 'set', fingerprint: 'sha256:1' },
      prompts: 'sha256:2',
      planned: 3,
      sessions: [{ started: '2026-01-02T03:04:05.000Z', ended: '2026-01-02T03:04:05.000Z' }],
    });
  });

  test('writes whether passes were batched to its session, as measured during the run', async () => {
    const measured = { weightType: 'w8a8', processor: 'p', threads: 2, speedUp: 2.1, identical: true };
    const known = [null, measured];
    const createModel = async () => ({
      ...createScriptedModel({ completions: ['', '', '', ''] }),
      batching: () => known.shift() ?? null,
    });
    const sessions = async (resume: boolean) => {
      const { manifest } = await run(optionsWith({ resume }), partsFor(tasks(1), { createModel }), context());
      return manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8'))).sessions;
    };
    expect((await sessions(false))[0]).not.toHaveProperty('batching');
    expect(await sessions(true)).toMatchObject([{}, { batching: measured }]);
  });

  test('writes the resolved options to the manifest', async () => {
    const edits = { name: 'mini', fingerprint: 'm', answer: 'edit', beams: unasked } as const;
    const resolvedWith = async (model: Partial<TextModel>, changed: Partial<RunOptions> = {}) => {
      const createModel = async () => ({
        ...createScriptedModel({ completions: ['', '', '', ''] }),
        ...model,
      });
      const options = optionsWith({ out: join(await temporaryFolder(), 'r.jsonl'), ...changed });
      const { manifest } = await run(options, partsFor(tasks(1), { createModel }), context());
      return manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8'))).resolved;
    };
    expect(await resolvedWith(edits)).toEqual({
      answer: 'edit',
      beams: 12,
      enumerated: 1000,
      candidates: null,
      prescreen: true,
    });
    expect(await resolvedWith({}, { candidates: 4 })).toEqual({
      answer: 'whole',
      beams: null,
      enumerated: null,
      candidates: 4,
      prescreen: true,
    });
    expect(await resolvedWith({}, { withEdits: true })).toMatchObject({ enumerated: 1000, prescreen: true });
    // Edits are drawn from the same candidates at every temperature; sampled ones are examined one by one.
    expect(await resolvedWith(edits, { temperature: 0.5 })).toMatchObject({ beams: 12, enumerated: 1000 });
    const sampled = await resolvedWith(edits, { withEdits: true, beams: 0 });
    expect(sampled).toMatchObject({ beams: null, enumerated: null, prescreen: false });
  });

  test('runs one sample per task at temperature 0, and says so', async () => {
    const said: string[] = [];
    const events = { ...silentProgress(), warned: (sentence: string) => said.push(sentence) };
    const result = await run(optionsWith({ samples: 3 }), partsFor(tasks(2)), context({ events }));
    expect(said).toEqual([expect.stringMatching(/temperature 0.*\b3\b/)]);
    expect((await recordsIn(out)).map(({ task_id, sample }) => [task_id, sample])).toEqual([
      ['set/0', 0],
      ['set/1', 0],
    ]);
    expect(result.summary.samples).toBe(1);
  });

  test.each([
    ['a search in a fixed order', { agent: 'search', noRank: true }, /fixed order.*instead of 3/],
    ['beams in a fixed order', { beams: 4, noRank: true }, /fixed order.*instead of 3.*--beams 0/],
    ['a search', { agent: 'search' }, null],
    ['beams', { beams: 4 }, null],
    ['edits that are sampled', { beams: 0 }, null],
  ] as const)(
    'samples of %s are run once if they are all the same, at any temperature',
    async (_, given, said) => {
      const warnings: string[] = [];
      const events = { ...silentProgress(), warned: (sentence: string) => warnings.push(sentence) };
      const createModel = async () => ({
        ...createScriptedModel({ completions: Array(99).fill('') }),
        ...({ answer: 'edit', beams: unasked, score: unasked } as const),
      });
      const options = optionsWith({ samples: 3, temperature: 0.5, ...given });
      const { summary } = await run(options, partsFor(tasks(1), { createModel }), context({ events }));
      expect(summary.samples).toBe(said === null ? 3 : 1);
      expect(warnings.filter(each => each.includes('instead of'))).toEqual(
        said === null ? [] : [expect.stringMatching(said)],
      );
    },
  );

  test('uses the format’s field names', async () => {
    const [task] = tasks(2).slice(1);
    if (task === undefined) throw new Error('no task');
    const completions = [task.buggy, task.canonical];
    const parts = partsFor([task], { createModel: async () => createScriptedModel({ completions }) });
    await run(optionsWith(), parts, context());
    const [record] = await recordsIn(out);
    expect(record).toMatchObject({
      format: 3,
      task_id: 'set/1',
      sample: 0,
      model: 'scripted',
      agent: 'reflect',
      temperature: 0,
      passed: true,
      first_candidate_passed: false,
      exit_code: 0,
      stdout: `ran ${task.canonical.length}`,
      iters: 1,
      timings_sec: { proposal: 1, execution: 0.5, reflection: 1 },
      // "def f1():", "return", "1": the scripted model counts words.
      token_usage: { completion: 8, nodes: { draft: { completion: 4 }, reflect: { completion: 4 } } },
      verdict: { kind: 'passed' },
      bug_type: 'missing logic',
      buggy: task.buggy,
      fixed: task.canonical,
      path: ['draft', 'reflect'],
      isolation: 'ulimit',
      error: null,
    });
    expect(record?.diff).toContain('-    return -1\n+    return 1\n');
    expect(record?.attempts).toHaveLength(2);
  });

  test('writes the same records for the same seed, and others for another', async () => {
    const seeds: number[] = [];
    const watched: Partial<RunParts> = {
      repairTask: options => given => {
        seeds.push(given.seed);
        return partsFor(tasks(2)).repairTask(options)(given);
      },
    };
    const write = async (name: string, seed: number) => {
      const path = join(folder, name);
      await run(optionsWith({ out: path, seed }), partsFor(tasks(2), watched), context());
      return (await recordsIn(path)).map(withoutTimes);
    };
    expect(await write('a.jsonl', 1)).toEqual(await write('b.jsonl', 1));
    await write('c.jsonl', 2);
    expect(seeds.slice(0, 2)).toEqual(seeds.slice(2, 4));
    expect(new Set(seeds).size).toBe(4);
  });

  test('names its file by time, model and dataset by default', async () => {
    const parts = partsFor(tasks(1));
    const before = process.cwd();
    process.chdir(folder);
    try {
      const result = await run(
        parseRunOptions({ model: 'a/b c', dataset: '/x/y.jsonl.gz' }),
        parts,
        context(),
      );
      expect(result.records).toBe(join('results', '2026-01-02T03-04-05-b-c-y.jsonl'));
    } finally {
      process.chdir(before);
    }
  });

  test('does not overwrite records, and says so before loading a model', async () => {
    await run(optionsWith(), partsFor(tasks(1)), context());
    const createModel = () => Promise.reject(new Error('the model was loaded'));
    await expect(run(optionsWith(), partsFor(tasks(1), { createModel }), context())).rejects.toMatchObject({
      code: 'OUT_EXISTS',
    });
  });

  test('refuses a file that another run is writing', async () => {
    let inner: Promise<unknown> | undefined;
    const events = {
      ...silentProgress(),
      started: (job: Job) => {
        inner ??= run(optionsWith({ resume: true }), partsFor(tasks(1)), context()).catch(error => error);
        return silentProgress().started(job);
      },
    };
    const slow = partsFor(tasks(1), {
      repairTask: options => async given => {
        await inner;
        return partsFor([]).repairTask(options)(given);
      },
    });
    await run(optionsWith(), slow, context({ events }));
    expect(await inner).toMatchObject({ code: 'OUT_LOCKED' });
  });
});

describe('a task that failed', () => {
  const broken: TaskOutcome = {
    state: 'error',
    attempts: [],
    path: ['draft', 'error'],
    cause: { code: 'SANDBOX_FAILED', message: 'It is gone.' },
  };

  test('is an error, counted separately', async () => {
    const parts = partsFor(tasks(3), {
      repairTask: options => given =>
        given.task.id === 'set/1' ? Promise.resolve(broken) : partsFor([]).repairTask(options)(given),
      createModel: async () =>
        createScriptedModel({
          completions: tasks(3)
            .filter(({ id }) => id !== 'set/1')
            .map(t => t.canonical),
        }),
    });
    const { summary } = await run(optionsWith(), parts, context());
    expect(summary).toMatchObject({
      tasks: 2,
      solved: 2,
      errors: { runs: 1, by_code: { SANDBOX_FAILED: 1 } },
    });
    expect((await recordsIn(out))[1]).toMatchObject({ passed: null, verdict: null, error: broken.cause });
  });

  test.each([
    ['SANDBOX_FAILED', 2],
    ['MODEL_PROMPT_TOO_LONG', 1],
    ['BACKEND_CONTEXT_TOO_LONG', 1],
    ['BACKEND_ANSWER_EMPTY', 1],
    ['TESTS_INVALID', 1],
  ])('after %s is run %i times', async (code, times) => {
    let runs = 0;
    const failing = () => {
      runs++;
      return Promise.resolve({ ...broken, cause: { code, message: 'It is gone.' } });
    };
    const repaired = partsFor([]).repairTask;
    const parts = partsFor(tasks(2), {
      repairTask: options => given => (given.task.id === 'set/1' ? failing() : repaired(options)(given)),
    });
    await run(optionsWith(), parts, context());
    expect(runs).toBe(times);
  });

  test('is the run’s error if nothing else ran', async () => {
    const parts = partsFor(tasks(2), { repairTask: () => () => Promise.resolve(broken) });
    await expect(run(optionsWith(), parts, context())).rejects.toMatchObject({
      code: 'NOTHING_RAN',
      message: expect.stringContaining('SANDBOX_FAILED'),
    });
  });
});

describe('an interrupted run', () => {
  test('records no partial task, and resumes', async () => {
    const whole = join(folder, 'whole.jsonl');
    await run(optionsWith({ out: whole }), partsFor(tasks(4)), context());

    const controller = new AbortController();
    const events = silentProgress();
    let started = 0;
    const onStart = (job: Job) => {
      if (++started === 3) controller.abort();
      return events.started(job);
    };
    const parts = partsFor(tasks(4));
    const interrupted = run(
      optionsWith(),
      parts,
      context({ events: { ...events, started: onStart }, signal: controller.signal }),
    );
    await expect(interrupted).rejects.toMatchObject({
      code: 'INTERRUPTED',
      message: expect.stringContaining('2 of 4 tasks are recorded'),
    });
    expect(await recordsIn(out)).toHaveLength(2);

    const rest = partsFor(tasks(4), {
      createModel: async () => ({
        ...createScriptedModel({
          completions: tasks(4)
            .slice(2)
            .map(task => task.canonical),
          name: 'script',
        }),
        fingerprint: (await parts.createModel(optionsWith())).fingerprint,
      }),
    });
    const { summary } = await run(optionsWith({ resume: true }), rest, context());
    expect(summary).toMatchObject({ tasks: 4, solved: 4 });
    expect((await recordsIn(out)).map(withoutTimes)).toEqual((await recordsIn(whole)).map(withoutTimes));
  });
});

describe('resuming', () => {
  beforeEach(async () => {
    await run(optionsWith({ limit: 1 }), partsFor(tasks(2)), context());
  });

  test.each<[string, Partial<RunOptions>, Partial<RunParts>, RegExp]>([
    ['another option', { iters: 5 }, {}, /--iters 3, and this run has 5/],
    [
      'another dataset',
      {},
      { loadDataset: async () => ({ name: 'set', fingerprint: 'sha256:9', tasks: tasks(2) }) },
      /dataset set \(1\), and this run has set \(9\)/,
    ],
    [
      'another model',
      {},
      { createModel: async () => createScriptedModel({ completions: [] }) },
      /model script/,
    ],
    [
      'tasks that leave a record out',
      { tasks: '1' },
      {},
      /was written with --tasks all, and this run has 1\.$/,
    ],
    [
      'other options, before the model is opened',
      { seed: 1 },
      { createModel: async () => expect.unreachable() },
      /--seed 0, and this run has 1\.$/,
    ],
    ['another part of the tasks', { shard: '2/2' }, {}, /--shard all, and this run has 2\/2/],
    ['other prompts', {}, { prompts: 'sha256:7' }, /prompts sha256:2, and this run has sha256:7/],
  ])('refuses %s', async (_, options, parts, message) => {
    const resumed = run(optionsWith({ resume: true, ...options }), partsFor(tasks(2), parts), context());
    await expect(resumed).rejects.toMatchObject({
      code: 'RESUME_MISMATCH',
      message: expect.stringMatching(message),
    });
  });

  test('requires the manifest', async () => {
    await writeFile(join(folder, 'deep', 'r.manifest.json'), '{}');
    await expect(run(optionsWith({ resume: true }), partsFor(tasks(2)), context())).rejects.toMatchObject({
      code: 'MANIFEST_UNUSABLE',
    });
  });

  test('does nothing if everything is recorded', async () => {
    const parts = partsFor(tasks(2), { repairTask: () => () => Promise.reject(new Error('ran')) });
    const { summary } = await run(optionsWith({ resume: true, limit: 1 }), parts, context());
    expect(summary).toMatchObject({ tasks: 1, solved: 1 });
    const manifest = manifestSchema.parse(
      JSON.parse(await readFile(join(folder, 'deep', 'r.manifest.json'), 'utf8')),
    );
    expect(manifest.sessions).toHaveLength(2);
  });
});
