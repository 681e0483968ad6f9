import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseWorkerOptions } from '../../lib/options/tables/queue-options.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { withOwnAddresses } from '../../lib/run/own-addresses.ts';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a queue or a manifest says about a run that is not taken from there. */
const server = { backend: 'openai', model: 'm', baseUrl: 'http://evil.example/v1' } as const;
const own = { baseUrl: 'http://own.example/v1', apiKeyEnv: 'OWN_KEY' };

describe('the addresses of a run that a queue describes', () => {
  test.each<[object, object]>([
    [{ ...server, apiKeyEnv: 'AWS_SECRET_ACCESS_KEY' }, own],
    [{ ...server, apiKeyEnv: 'AWS_SECRET_ACCESS_KEY' }, { provider: 'together' }],
    [{ backend: 'openai', model: 'm', provider: 'together', apiKeyEnv: 'AWS_SECRET_ACCESS_KEY' }, own],
    [{ ...server, cache: '/home/user/.ssh' }, own],
    [
      { ...server, isolation: 'ulimit', requireIsolation: false },
      { ...own, isolation: 'namespaces' },
    ],
    [{ isolation: 'ulimit', cache: '/home/user/.ssh' }, {}],
  ])('%j with a worker’s %j', (described, given) => {
    const options = withOwnAddresses(parseRunOptions({ ...described }), given, 'queue');
    const { baseUrl, provider, apiKeyEnv, isolation, cache } = options;
    expect({ baseUrl, provider, apiKeyEnv, isolation }).toEqual({
      baseUrl: undefined,
      provider: undefined,
      apiKeyEnv: undefined,
      isolation: undefined,
      ...given,
    });
    expect(typeof cache).toBe('boolean');
  });

  test.each<[object, object, string]>([
    [server, {}, 'give --base-url http://evil.example/v1'],
    [{ backend: 'openai', model: 'm' }, {}, 'give --provider openai'],
    [{ backend: 'openai', model: 'm', provider: 'together' }, {}, 'give --provider together'],
    [
      { backend: 'openai', model: 'm', provider: 'together' },
      { apiKeyEnv: 'KEY' },
      'give --provider together',
    ],
    [{}, own, 'Leave out --base-url'],
    [{}, { apiKeyEnv: 'KEY' }, 'Leave out --base-url'],
  ])('%j and a worker with %j is refused', (described, given, hint) => {
    expect(() => withOwnAddresses(parseRunOptions({ ...described }), given, 'queue')).toThrow(
      expect.objectContaining({ code: 'SERVER_NOT_NAMED', hint: expect.stringContaining(hint) }),
    );
  });

  test('a worker’s own options name one server', () => {
    const queue = 'redis://127.0.0.1:9';
    const { overrides } = parseWorkerOptions({ queue, baseUrl: 'http://a.example/v1/chat/completions/' });
    expect(overrides).toEqual({ baseUrl: 'http://a.example/v1' });
    expect(() => parseWorkerOptions({ queue, baseUrl: 'http://a.example/v1', provider: 'together' })).toThrow(
      '--provider and --base-url cannot be combined.',
    );
  });
});

test('hefix rerun takes neither address, key nor walls from a manifest', async () => {
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, 1);
  const words = [
    '--dataset',
    dataset,
    '--backend',
    'scripted',
    '--model',
    script,
    '--out',
    join(folder, 'r.jsonl'),
  ];
  expect((await hefixHere(words)).exitCode).toBe(0);
  const path = join(folder, 'r.manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const changed = { ...manifest, options: { ...manifest.options, ...server, apiKeyEnv: 'SECRET' } };
  await writeFile(path, JSON.stringify(changed));
  const { exitCode, stderr } = await hefixHere(['rerun', path], { env: { SECRET: 'sk-secret' } });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[SERVER_NOT_NAMED]')]);
  expect(stderr).not.toContain('sk-secret');
});
