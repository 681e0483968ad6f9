import { expect, test } from 'vitest';
import { plainRoles } from '../../../lib/model/text/plain-roles.ts';

test('roles alternate, and system texts are part of a turn of the user', () => {
  expect(
    plainRoles([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'system', content: 'd' },
    ]),
  ).toEqual([
    { role: 'user', content: 'Be brief.\n\na\n\nb' },
    { role: 'assistant', content: 'c' },
    { role: 'user', content: 'd' },
  ]);
});

test('calls and their results stay apart', () => {
  const call = { role: 'assistant' as const, content: '', toolCalls: [{ name: 'run', arguments: '{}' }] };
  const result = { role: 'tool' as const, content: 'ok' };
  expect(plainRoles([call, result, result])).toEqual([call, result, result]);
});
