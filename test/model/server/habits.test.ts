import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Message } from '../../../lib/core/ports.ts';
import { fakeTime } from '../../support/fake-time.ts';
import { asking, openModel } from './open-model.ts';
import { type Answer, raw, startServer } from './test-server.ts';

/**
 * What servers do that OpenAI's does not, one file each: replies as their documentation describes them, and the verdict
 * of hefix. A body in lines is a stream.
 */
interface Habit {
  readonly habit: string;
  readonly source: string;
  /** `system`: the request begins with a system text. */
  readonly conversation?: 'system';
  readonly replies: readonly { readonly status: number; readonly type: string; readonly body: unknown }[];
  readonly verdict: Verdict;
}

interface Verdict {
  readonly requests: number;
  readonly warning?: string;
  /** Of the last request. */
  readonly roles?: readonly string[];
  readonly error?: string;
  readonly message?: string;
}

const FOLDER = new URL('habits/', import.meta.url);
const names = readdirSync(FOLDER).map(name => name.replace('.json', ''));

test('at least forty habits are known', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(names)('%s', async name => {
  const habit = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Habit;
  const { requests, warning, roles, error, message, ...completion } = habit.verdict;
  const answers = habit.replies.map(({ status, type, body }) =>
    raw(
      Array.isArray(body) && type === 'text/event-stream' ? body.join('\n') : JSON.stringify(body),
      type,
      status,
    ),
  );
  const server = await startServer(...(answers as [Answer, ...Answer[]]));
  const { now, wait } = fakeTime();
  const model = openModel(server, { maxTries: 2, now, wait });
  const user: Message = { role: 'user', content: 'Repair f.' };
  const messages = habit.conversation
    ? [{ role: 'system' as const, content: 'You repair code.' }, user]
    : [user];
  const answer = model.generate(asking('', { messages }));
  if (error === undefined) expect(await answer).toMatchObject(completion);
  else {
    const failed = { code: error, message: expect.stringContaining(message ?? '') };
    await expect(answer).rejects.toMatchObject(failed);
  }
  expect(server.requests).toHaveLength(requests);
  if (warning === undefined) expect(model.warnings.filter(told => !told.includes('no usage'))).toEqual([]);
  else expect(model.warnings.join('\n')).toContain(warning);
  if (roles) {
    const sent = server.requests.at(-1)?.body.messages as Message[];
    expect(sent.map(({ role }) => role)).toEqual(roles);
    expect(sent[0]?.content).toBe('You repair code.\n\nRepair f.');
  }
});
