import { createHash } from 'node:crypto';
import type { JudgedTask, Program } from './toolchain.ts';

/** Builds one judge per task; of more than 64, it removes those that nobody uses, the one used longest ago first. */
export interface JudgeCache {
  /** Runs `use` with the task's judge, which is kept until `use` is done. Rejects as `build` does. */
  with<T>(task: JudgedTask, use: (judge: Program) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Entry {
  readonly built: Promise<Program>;
  users: number;
}

const MAX_JUDGES = 64;

export function createJudgeCache(build: (task: JudgedTask) => Promise<Program>): JudgeCache {
  // Ordered by last use.
  const entries = new Map<string, Entry>();

  const entryOf = (task: JudgedTask): Entry => {
    const key = keyOf(task);
    const entry = entries.get(key) ?? { built: build(task), users: 0 };
    entries.delete(key);
    entries.set(key, entry);
    // A build that failed is repeated when the task comes again.
    entry.built.catch(() => entries.delete(key));
    return entry;
  };
  const removeOldest = async () => {
    const [key, entry] = [...entries].find(([, { users }]) => users === 0) ?? [];
    if (entries.size <= MAX_JUDGES || key === undefined) return;
    entries.delete(key);
    await (await entry?.built)?.remove();
  };
  return {
    async with(task, use) {
      const entry = entryOf(task);
      entry.users += 1;
      try {
        return await use(await entry.built);
      } finally {
        entry.users -= 1;
        await removeOldest();
      }
    },
    async close() {
      const built = await Promise.allSettled([...entries.values()].map(entry => entry.built));
      await Promise.all(built.map(async result => result.status === 'fulfilled' && result.value.remove()));
    },
  };
}

function keyOf({ declaration, entryPoint, tests }: JudgedTask): string {
  return createHash('sha256')
    .update(JSON.stringify([declaration, entryPoint, tests]))
    .digest('base64');
}
