import { expect, onTestFinished, test, vi } from 'vitest';
import { serverAt } from '../../../lib/model/server/providers.ts';
import { createServerModel } from '../../../lib/model/server/server-model.ts';
import { startProxy } from '../../support/proxy.ts';
import { startServer, stream } from './test-server.ts';

const request = {
  messages: [{ role: 'user' as const, content: 'Repair this.' }],
  temperature: 0,
  topP: 1,
  topK: 0,
  maxNewTokens: 8,
  seed: 0,
};

function modelAt(baseUrl: string) {
  const model = createServerModel({ server: serverAt(baseUrl), model: 'coder', keys: [], maxTries: 1 });
  onTestFinished(() => model.close());
  return model;
}

test('uses the environment’s proxy, except for this host', async () => {
  const server = await startServer(stream('x'));
  const proxy = await startProxy(Number(new URL(server.baseUrl).port));
  vi.stubEnv('http_proxy', proxy.address);
  vi.stubEnv('HTTP_PROXY', proxy.address);
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('NO_PROXY', '');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect((await modelAt('http://models.example/v1').generate(request)).text).toBe('x');
  expect((await modelAt(server.baseUrl).generate(request)).text).toBe('x');
  expect(new Set(proxy.hosts)).toEqual(new Set(['models.example:80']));
  expect(server.requests).toHaveLength(2);
});

test('explains why a host with several addresses is unreachable', async () => {
  await expect(modelAt('http://localhost:1/v1').generate(request)).rejects.toMatchObject({
    code: 'BACKEND_UNREACHABLE',
    message: 'http://localhost:1/v1 cannot be reached: the connection is refused.',
  });
});
