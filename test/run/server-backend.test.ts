import { expect, test } from 'vitest';
import type { HefixError } from '../../lib/errors.ts';
import { parseRunOptions } from '../../lib/run/options.ts';
import { createServerBackend } from '../../lib/run/server-backend.ts';

function backendWith(given: Record<string, string>, environment: Record<string, string> = {}) {
  const options = parseRunOptions({ backend: 'openai', model: 'coder', ...given });
  return createServerBackend(options, environment, () => {});
}

test.each<[Record<string, string>, Record<string, string>, string]>([
  [{}, { OPENAI_API_KEY: 'sk' }, 'https://api.openai.com/v1 coder'],
  [{ provider: 'together' }, { TOGETHER_API_KEY: 'a,b' }, 'https://api.together.ai/v1 coder'],
  [{ provider: 'huggingface' }, { HF_API_TOKEN: 'hf' }, 'https://router.huggingface.co/v1 coder'],
  [{ provider: 'ollama' }, {}, 'http://127.0.0.1:11434/v1 coder'],
  [{ baseUrl: 'http://10.0.0.7:8000/v1/', omit: 'seed' }, {}, 'http://10.0.0.7:8000/v1 coder without seed'],
  [{ provider: 'together', apiKeyEnv: 'MINE' }, { MINE: 'k' }, 'https://api.together.ai/v1 coder'],
])('%j is a model at its address', async (given, environment, fingerprint) => {
  const model = backendWith(given, environment);
  expect(model).toMatchObject({ name: 'coder', fingerprint });
  await model.close();
});

test.each<[Record<string, string>, Record<string, string>, string, string]>([
  [{}, { HF_TOKEN: 'hf' }, 'BACKEND_KEY_MISSING', 'Set OPENAI_API_KEY'],
  [{ provider: 'huggingface' }, {}, 'BACKEND_KEY_MISSING', 'Set HF_TOKEN or HF_API_TOKEN'],
  [{ baseUrl: 'https://api.together.xyz/v1' }, {}, 'BACKEND_KEY_MISSING', 'Set TOGETHER_API_KEY'],
  [{ apiKeyEnv: 'MINE' }, { OPENAI_API_KEY: 'sk' }, 'BACKEND_KEY_MISSING', 'not the key itself'],
  [{}, { OPENAI_API_KEY: 'two words' }, 'BACKEND_KEY_INVALID', 'separated by commas'],
])('%j with %j is %s', (given, environment, code, hint) => {
  let error: unknown;
  try {
    backendWith(given, environment);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code });
  expect((error as HefixError).hint).toContain(hint);
});
