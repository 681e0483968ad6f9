import { expect, onTestFinished, test, vi } from 'vitest';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { createServerBackend } from '../../lib/run/model/server-backend.ts';

const environment = { HF_TOKEN: 'hf_0123456789', TOGETHER_API_KEY: 'key', OPENAI_API_KEY: 'sk-0123456789' };

test.each([
  ['huggingface', 'qwen3-0.6b', 'https://router.huggingface.co/v1 Qwen/Qwen3-0.6B'],
  ['huggingface', 'someone/model', 'https://router.huggingface.co/v1 someone/model'],
  ['together', 'Qwen/Qwen3-0.6B', 'https://api.together.ai/v1 Qwen/Qwen3-0.6B'],
  ['ollama', 'qwen3:0.6b', 'http://127.0.0.1:11434/v1 qwen3:0.6b'],
  ['openai', 'qwen3-0.6b', 'https://api.openai.com/v1 qwen3-0.6b'],
])('%s receives %s under its own name', async (provider, name, fingerprint) => {
  const options = parseRunOptions({ backend: 'openai', provider, model: name });
  const model = await createServerBackend(options, environment, { warn() {} });
  expect(model.fingerprint).toBe(fingerprint);
  await model.close();
});

test.each(['huggingface', 'together', 'openai'])('%s requires a key', async provider => {
  const options = parseRunOptions({ backend: 'openai', provider, model: 'm' });
  await expect(createServerBackend(options, {}, { warn() {} })).rejects.toThrow(
    'needs an API key, and none is set.',
  );
});

test.each([
  [{ workers: 2 }, 8],
  [{ workers: 12 }, 12],
  [{ workers: 12, maxConcurrency: 3 }, 3],
])('with %j, at most %i requests are in flight', async (given, expected) => {
  const server = '../../lib/model/server/server-model.ts';
  const createServerModel = vi.fn();
  vi.doMock(server, () => ({ createServerModel }));
  onTestFinished(() => void vi.doUnmock(server));
  const options = parseRunOptions({ backend: 'openai', provider: 'ollama', model: 'm', ...given });
  await createServerBackend(options, {}, { warn() {} });
  expect(createServerModel).toHaveBeenCalledWith(expect.objectContaining({ maxConcurrency: expected }));
});
