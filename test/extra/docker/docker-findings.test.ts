import { expect, test } from 'vitest';
import { dockerFindings } from '../../../lib/extra/docker/docker-findings.ts';

test('an unexpected error is a finding, and does not end hefix doctor', async () => {
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get() {
        throw new Error('unreadable');
      },
    },
  );
  expect(await dockerFindings(environment)).toEqual([
    expect.objectContaining({ name: 'Docker', state: 'missing', detail: 'Error: unreadable' }),
  ]);
});
