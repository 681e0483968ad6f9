import type { Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import { createRobustCheck, type RobustCheck } from '../robust/robust-check.ts';
import type { SandboxChoice } from './open-sandbox.ts';

type Open = (options: RunOptions & Pick<SandboxChoice, 'hashSeed'>, language: Language) => Promise<Sandbox>;

/** Compares solutions with the references in the sandbox of a run, and in one with other hash seeds. */
export function openRobustCheck(
  options: RunOptions,
  open: Open,
  sandbox: Sandbox,
  language: Language,
): RobustCheck {
  return createRobustCheck(sandbox, () => open({ ...options, workers: 1, hashSeed: 1 }, language));
}
