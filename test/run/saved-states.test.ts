import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import type { TaskOutcome } from '../../lib/core/attempt.ts';
import { parseRunOptions, type RunOptions } from '../../lib/options/tables/run-options.ts';
import { runParts } from '../../lib/run/library/run-parts.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { openSavedStates, type SavedState } from '../../lib/run/saved-states.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { context, partsFor, tasks } from './fakes.ts';

const state: SavedState = {
  snapshot: {
    machine: { status: 'active', context: { attempts: [] } } as never,
    steps: [{ state: 'draft', attempt: 0, seconds: 0 }],
  },
  seconds: 1.5,
  cached: null,
};
const key = { taskId: 'set/../odd name', sample: 2 };

async function openIn(folder: string, changed = {}) {
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const states = await openSavedStates(folder, { identity: 'a', resume: true, done: [], warn, ...changed });
  return { states, warnings };
}

async function keep(folder: string): Promise<void> {
  const { states } = await openIn(folder);
  states.write(key, state);
  await states.close();
}

test('a state is read by a run with the same identity', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b');
  await keep(folder);
  const { states, warnings } = await openIn(folder);
  expect(states.read(key)).toEqual(state);
  expect(states.read({ ...key, sample: 0 })).toBeNull();
  expect(warnings).toEqual([]);
  // As a killed run leaves it.
  const [name = ''] = await readdir(folder).then(names => names.filter(one => !one.endsWith('.lock')));
  await writeFile(join(folder, `${name}.tmp`), '');
  states.remove(key);
  expect(states.read(key)).toBeNull();
  await states.close();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['of another run', async () => {}, { identity: 'b' }],
  [
    'torn by a power cut',
    async (folder: string) => {
      const [name = ''] = await readdir(folder);
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.slice(0, -20));
    },
    {},
  ],
])('a state %s is left alone, and one sentence says so', async (_, spoil, changed) => {
  const folder = await temporaryFolder();
  await keep(folder);
  await spoil(folder);
  const { states, warnings } = await openIn(folder, changed);
  expect(states.read(key)).toBeNull();
  expect(warnings).toEqual([
    `Ignoring 1 saved state in ${folder} from a run with other options, model, dataset or version; those tasks restart.`,
  ]);
  await states.close();
  expect(await readdir(folder)).toHaveLength(1);
});

test('the state of a recorded task is removed', async () => {
  const folder = await temporaryFolder();
  await keep(folder);
  const { states } = await openIn(folder, { done: [key] });
  await states.close();
  expect(await readdir(folder)).toEqual([]);
});

test('two runs cannot share a folder, and an invalid folder is named', async () => {
  const folder = await temporaryFolder();
  const { states } = await openIn(folder);
  await expect(openIn(folder)).rejects.toMatchObject({ code: 'OUT_LOCKED' });
  await states.close();
  await writeFile(join(folder, 'file'), '');
  await expect(openIn(join(folder, 'file'))).rejects.toMatchObject({ code: 'STATE_NOT_WRITABLE' });
});

test('--save-state requires a deterministic backend', () => {
  const given = { saveState: 'x', backend: 'scripted', model: 'x.jsonl' };
  expect(() => parseRunOptions(given)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
});

/** Options of a run with a folder of states. */
async function optionsIn(folder: string, changed: Partial<RunOptions> = {}): Promise<RunOptions> {
  return parseRunOptions({ out: join(folder, 'r.jsonl'), saveState: join(folder, 'states'), ...changed });
}

/** The real agent with a model that is aborted at its second answer. */
function abortingParts(controller: AbortController): RunParts {
  const all = tasks(1);
  let asked = 0;
  return {
    ...partsFor(all),
    repairTask: runParts().repairTask,
    createModel: async () => ({
      name: 'two',
      fingerprint: 'sha256:5',
      async generate(_, { signal } = {}) {
        if (++asked === 2) controller.abort(new Error('stop'));
        signal?.throwIfAborted();
        const text = asked === 1 ? 'def f0():\n    return 7\n' : String(all[0]?.canonical);
        return { text, promptTokens: 1, completionTokens: 1, finish: 'stop' };
      },
      close: async () => {},
    }),
  };
}

test('an interrupted task resumes where it stopped', async () => {
  const folder = await temporaryFolder();
  const controller = new AbortController();
  const parts = abortingParts(controller);
  const interrupted = run(await optionsIn(folder), parts, context({ signal: controller.signal }));
  await expect(interrupted).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(await readdir(join(folder, 'states'))).toHaveLength(1);

  const warnings: string[] = [];
  const visited: string[] = [];
  const events = {
    ...silentProgress(),
    warned: (sentence: string) => warnings.push(sentence),
    started: () => ({
      ...silentProgress().started({} as never),
      state: (name: string) => visited.push(name),
    }),
  };
  const resumed = await run(await optionsIn(folder, { resume: true }), parts, context({ events }));
  expect(resumed.summary).toMatchObject({ solved: 1 });
  expect(visited).toEqual(['reflect', 'examine', 'execute', 'solved']);
  expect(await readdir(join(folder, 'states'))).toEqual([]);
  expect(warnings.filter(sentence => sentence.includes('state'))).toEqual([]);
});

test('a task that fails restarts, and leaves no state', async () => {
  const folder = await temporaryFolder();
  const states = join(folder, 'states');
  await mkdir(states);
  const broken: TaskOutcome = {
    state: 'error',
    attempts: [],
    path: ['draft', 'error'],
    cause: { code: 'SANDBOX_FAILED', message: 'It is gone.' },
  };
  const found: unknown[] = [];
  const parts = partsFor(tasks(2), {
    repairTask: options => async given => {
      if (given.task.id !== 'set/0') return await partsFor([]).repairTask(options)(given);
      found.push(given.snapshot);
      given.onSnapshot?.(state.snapshot);
      return broken;
    },
  });
  await run(await optionsIn(folder, { resume: true }), parts, context());
  expect(found).toEqual([undefined, undefined]);
  expect(await readdir(states)).toEqual([]);
});
