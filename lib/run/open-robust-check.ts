import type { Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { RobustCheck } from '../repair/robust/robust-check.ts';
import type { SandboxChoice } from './open-parts.ts';

type Open = (options: RunOptions & Pick<SandboxChoice, 'hashSeed'>, language: Language) => Promise<Sandbox>;

/** Compares solutions with the references in the sandbox of a run, and in one with other hash seeds. */
export function openRobustCheck(
  options: RunOptions,
  open: Open,
  sandbox: Sandbox,
  language: Language,
): RobustCheck {
  let created: Promise<RobustCheck> | undefined;
  const create = async () => {
    const { createRobustCheck } = await import('../repair/robust/robust-check.ts');
    return createRobustCheck(sandbox, () => open({ ...options, workers: 1, hashSeed: 1 }, language));
  };
  return {
    async check(...input) {
      created ??= create();
      return await (await created).check(...input);
    },
    async close() {
      await (await created)?.close();
    },
  };
}
