import { availableParallelism } from 'node:os';
import type { Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import { extras } from '../extras.ts';
import { readEnvironment } from '../options/environment.ts';
import { optionConflict } from '../options/errors.ts';
import type { RunOptions, sandboxOptions } from '../options/tables/run-options.ts';
import { createSandbox, processStarters, type SandboxStarters } from '../sandbox/create-sandbox.ts';

export type SandboxChoice = Pick<RunOptions, keyof typeof sandboxOptions> & {
  /** Number of concurrent tasks; defaults to one. With 0, nothing is started ahead. */
  readonly workers?: number;
  /**
   * True starts Python's sandbox sooner, at the level that an earlier process found; executions fail if that has
   * changed. False determines the level again.
   */
  readonly recall?: boolean;
  /** Hash seed of Python candidates, from 0 to 4294967295; defaults to 0. */
  readonly hashSeed?: number;
};

export type OpenSandbox = typeof openSandbox;

/**
 * Opens the sandbox that the options ask for, started for one language. Rejects with a HefixError if this
 * system does not support it, or with the signal's reason.
 */
export async function openSandbox(
  options: SandboxChoice,
  language: Language,
  signal?: AbortSignal,
): Promise<Sandbox> {
  return await createSandbox(startersFor(options), language, signal);
}

function startersFor(options: SandboxChoice): SandboxStarters {
  const { sandbox, timeout: timeoutSeconds, memory: memoryMiB, hashSeed = 0, requireIsolation } = options;
  const limits = { timeoutSeconds, memoryMiB, hashSeed };
  const extra = extras.flatMap(({ sandboxes }) => sandboxes?.[sandbox] ?? [])[0];
  if (extra) {
    if (options.isolation !== undefined) throw optionConflict('--isolation', `--sandbox ${sandbox}`);
    return {
      python: () => extra.start({ ...limits, requireIsolation }, readEnvironment(process.cwd(), process.env)),
    };
  }
  const { isolation, recall, workers = 1 } = options;
  return processStarters({ ...limits, poolSize: poolSizeFor(workers), isolation, requireIsolation, recall });
}

/**
 * Number of waiting pairs of interpreters: one per concurrent task and one that is starting, but no more than two for
 * each processor.
 */
export function poolSizeFor(workers: number, cores = availableParallelism()): number {
  return workers === 0 ? 0 : Math.min(workers + 1, Math.max(2, 2 * cores));
}
