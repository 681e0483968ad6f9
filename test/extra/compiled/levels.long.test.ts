import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';
import { linux, needs } from '../../support/needs.ts';
import { toolchain } from './toolchains.ts';

/** One task of each language at each level of Linux. */
const levels = ['bubblewrap', 'namespaces', 'ulimit'] as const;
const languages = (['cpp', 'go', 'java', 'rust'] as const).filter(language => toolchain(language).isThere);
const cases = languages.flatMap(language => levels.map(isolation => ({ language, isolation })));

describe.each(cases)('$language at $isolation', needs(linux), choice => {
  const { language, isolation } = choice;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox(processStarters({ timeoutSeconds: 20, isolation }), language);
  }, 600_000);
  afterAll(() => sandbox?.close());

  // One batch of processes has 16 executions.
  test.each(isolation === 'bubblewrap' ? [17] : [1])('passes a right candidate %i times', async times => {
    const { tasks } = await loadDataset(`mini-${language}`, { language });
    const [task] = tasks;
    if (!task) throw new Error('the set is empty');
    const kindOf = async (candidate: string) => (await sandbox.execute({ ...task, candidate })).verdict.kind;
    expect(await kindOf(task.buggy)).toBe('failed');
    for (let left = times; left > 0; left--) expect(await kindOf(task.canonical)).toBe('passed');
  });
});
