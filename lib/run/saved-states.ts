import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stepSchema } from '../core/attempt.ts';
import type { RunRecord } from '../core/record.ts';
import { keyOf } from '../core/record.ts';
import { ensureDirectorySync } from '../files/ensure-directory.ts';
import { isSystemError, stateNotWritable } from '../files/errors.ts';
import { lock } from '../files/lock.ts';
import { MAX_STATE_BYTES, parseJson, readNamed } from '../files/untrusted-file.ts';
import type { AgentSnapshot } from '../repair/repair-task.ts';

/** The state of a job: everything its record needs except for the remaining work. */
export interface SavedState {
  readonly snapshot: AgentSnapshot;
  /** Time spent on the job so far. */
  readonly seconds: number;
  readonly cached: Required<RunRecord>['cached'] | null;
}

interface StateKey {
  readonly taskId: string;
  readonly sample: number;
}

/** The folder of `--save-state`, with a file for each running job. */
export interface SavedStates {
  /** The job's state when the folder was opened; null if there is none. */
  read(key: StateKey): SavedState | null;
  /**
   * Writes a job's state synchronously.
   * @throws HefixError (`STATE_NOT_WRITABLE`)
   */
  write(key: StateKey, state: SavedState): void;
  remove(key: StateKey): void;
  /** Releases the folder for other runs. The states are kept. */
  close(): Promise<void>;
}

export interface SavedStatesOptions {
  /** Fingerprint of the run: states are only resumed by a run with the same one. */
  readonly identity: string;
  /** Otherwise existing states are ignored. */
  readonly resume: boolean;
  /** Jobs with a record: a kill may have happened between writing the record and removing the state. */
  readonly done: readonly StateKey[];
  readonly warn: (sentence: string) => void;
}

/**
 * Opens a folder of states exclusively for one run, and creates it if it is missing. Rejects with a
 * HefixError if it cannot be written (`STATE_NOT_WRITABLE`) or another run holds it (`OUT_LOCKED`).
 */
export async function openSavedStates(
  folder: string,
  { identity, resume, done, warn }: SavedStatesOptions,
): Promise<SavedStates> {
  const attempt = <Result>(action: () => Result): Result => {
    try {
      return action();
    } catch (cause) {
      throw stateNotWritable(folder, cause);
    }
  };
  attempt(() => ensureDirectorySync(folder));
  const release = await lock(join(folder, 'states')).catch(error => {
    throw isSystemError(error) ? stateNotWritable(folder, error) : error;
  });
  const pathOf = (key: StateKey) => join(folder, fileName(key));
  const remove = (key: StateKey) =>
    attempt(() => {
      rmSync(pathOf(key), { force: true });
      rmSync(temporaryOf(pathOf(key)), { force: true });
    });
  try {
    const states = new Map<string, SavedState>();
    if (resume) {
      for (const key of done) remove(key);
      const folderStates = attempt(() => readFolder(folder, identity));
      for (const { key, state } of folderStates.states) states.set(keyOf(key.taskId, key.sample), state);
      if (folderStates.foreign > 0) warn(foreignStates(folder, folderStates.foreign));
    }
    return {
      read: ({ taskId, sample }) => states.get(keyOf(taskId, sample)) ?? null,
      write(key, state) {
        const line = JSON.stringify({ format: stateFormat, identity, ...key, ...state });
        attempt(() => writeAtOnce(pathOf(key), line));
      },
      remove(key) {
        states.delete(keyOf(key.taskId, key.sample));
        remove(key);
      },
      close: release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const stateFormat = 3;

const fileSchema = z.object({
  format: z.literal(stateFormat),
  identity: z.string(),
  taskId: z.string(),
  sample: z.number(),
  snapshot: z.object({
    machine: z.looseObject({ status: z.literal('active'), context: z.looseObject({}) }),
    steps: z.array(stepSchema).min(1),
  }),
  seconds: z.number(),
  cached: z.object({ replies: z.number(), prompt: z.number(), completion: z.number() }).nullable(),
});

interface Found {
  readonly states: { readonly key: StateKey; readonly state: SavedState }[];
  /** Files of other runs, and unrelated files. */
  foreign: number;
}

function readFolder(folder: string, identity: string): Found {
  const result: Found = { states: [], foreign: 0 };
  for (const name of readdirSync(folder).filter(entry => entry.endsWith(ending))) {
    const parsed = fileSchema.safeParse(
      parseJson(readNamed(join(folder, name), MAX_STATE_BYTES)?.toString('utf8') ?? ''),
    );
    if (!parsed.success || parsed.data.identity !== identity) {
      result.foreign++;
      continue;
    }
    const { taskId, sample, seconds, cached } = parsed.data;
    const snapshot = parsed.data.snapshot as unknown as AgentSnapshot;
    result.states.push({ key: { taskId, sample }, state: { snapshot, seconds, cached } });
  }
  return result;
}

function foreignStates(folder: string, count: number): string {
  const states = count === 1 ? '1 saved state' : `${count} saved states`;
  return `Ignoring ${states} in ${folder} from a run with other options, model, dataset or version; those tasks restart.`;
}

const ending = '.state.json';

/** An id may contain characters that a file name may not. */
function fileName({ taskId, sample }: StateKey): string {
  const hash = createHash('sha256').update(keyOf(taskId, sample)).digest('hex').slice(0, 12);
  return `${taskId.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-${sample}-${hash}${ending}`;
}

/**
 * Written atomically and before anything else happens, so that the machine never repeats a finished model call
 * after a kill. A power failure may lose a state, which only costs the work since then, so the disk is not flushed.
 */
function writeAtOnce(path: string, content: string): void {
  writeFileSync(temporaryOf(path), content);
  renameSync(temporaryOf(path), path);
}

/** What a killed run left is written again or removed: only one run uses a folder of states. */
function temporaryOf(path: string): string {
  return `${path}.tmp`;
}
