import { describe, expect, test } from 'vitest';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { createProjectRunners } from '../../../lib/fix/runners/project-runners.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';

interface Made {
  readonly converses: boolean;
  readonly language?: 'python' | 'js';
  readonly separates?: boolean;
}

/** @returns the runners, and the numbers of those that were started ahead */
function made({ converses, language = 'python', separates = true }: Made) {
  let count = 0;
  const started: string[] = [];
  const startRunner = (): Runner => {
    const name = String(++count);
    const run = async () => expect.unreachable();
    return { name, separates, start: () => void started.push(name), run, close: async () => {} };
  };
  const project = { language, startRunner } as unknown as OpenProject;
  const opened = async <Value>(value: Value | Promise<Value>) => await value;
  const runners = createProjectRunners(async () => project, opened as never, converses);
  return { runners, started };
}

const names = (all: readonly Runner[]) => all.map(({ name }) => name);

describe('with a conversation', () => {
  test.each(['js', 'python'] as const)(
    'one process does what a repair of the model needs, and others search: %s',
    async language => {
      const { runners, started } = made({ converses: true, language });
      const { name } = await runners.first();
      await runners.startSecond();
      expect(started).toEqual([]);
      expect(names(await runners.repeating())).toEqual([name]);
      expect(names(await runners.comparing())).toEqual([name]);
      expect((await runners.answering()).name).toBe(name);
      expect(names(await runners.searching())).not.toContain(name);
    },
  );

  test('answers have another process where the first run leaves something', async () => {
    const { runners } = made({ converses: true, language: 'js', separates: false });
    const others = [await runners.first(), ...(await runners.searching())];
    expect(names(others)).not.toContain((await runners.answering()).name);
  });
});

test('without one, two processes repeat tests, search and compare', async () => {
  const { runners, started } = made({ converses: false });
  await runners.first();
  await runners.startSecond();
  expect(started).toHaveLength(1);
  const both = names(await runners.searching());
  expect(both).toEqual([(await runners.first()).name, ...started]);
  expect(names(await runners.repeating())).toEqual(both);
  expect(names(await runners.comparing())).toEqual(both);
});

test.each([
  ['python', 1],
  ['js', 0],
] as const)('of %s, %i processes are started ahead to confirm', async (language, count) => {
  const { runners, started } = made({ converses: true, language });
  await runners.startFresh();
  expect(started).toHaveLength(count);
});
