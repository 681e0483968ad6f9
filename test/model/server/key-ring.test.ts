import { describe, expect, test } from 'vitest';
import { readApiKeys, redactorOf } from '../../../lib/model/server/key-ring.ts';
import { serverAt } from '../../../lib/model/server/providers.ts';

describe('readApiKeys', () => {
  test('takes the first variable that is set, and several keys from it', () => {
    const environment = { HF_TOKEN: ' ', HF_API_TOKEN: 'hf_one, hf_two,,hf_one' };
    expect(readApiKeys(environment, ['HF_TOKEN', 'HF_API_TOKEN'])).toEqual([
      { value: 'hf_one', label: 'key 1 of 2 in HF_API_TOKEN' },
      { value: 'hf_two', label: 'key 2 of 2 in HF_API_TOKEN' },
    ]);
    expect(readApiKeys({ OPENAI_API_KEY: 'sk-1' }, ['OPENAI_API_KEY'])).toEqual([
      { value: 'sk-1', label: 'the key in OPENAI_API_KEY' },
    ]);
    expect(readApiKeys({}, ['OPENAI_API_KEY'])).toEqual([]);
  });

  test.each(['sk-with space', 'sk-line\nbreak', 'sk-ключ'])('refuses %j without showing it', value => {
    const read = () => readApiKeys({ OPENAI_API_KEY: `sk-good,${value}` }, ['OPENAI_API_KEY']);
    expect(read).toThrow('OPENAI_API_KEY holds characters that no API key has');
    expect(read).not.toThrow('sk-');
  });
});

test('redactorOf removes every key, even one with the prefix of another, and keeps common words', () => {
  const keys = ['sk-secret', 'sk-secret-two', 'none'].map(value => ({ value, label: '' }));
  expect(redactorOf(keys)('sk-secret-two, sk-secret; none of them')).toBe('[key], [key]; none of them');
});

test.each([
  ['https://api.openai.com/v1', ['OPENAI_API_KEY'], true],
  ['https://api.together.xyz/v1', ['TOGETHER_API_KEY'], true],
  ['https://router.huggingface.co/v1', ['HF_TOKEN', 'HF_API_TOKEN'], true],
  ['https://abc.endpoints.huggingface.cloud/v1', ['HF_TOKEN', 'HF_API_TOKEN'], true],
  ['http://127.0.0.1:8000/v1', ['OPENAI_API_KEY'], false],
  ['https://nothuggingface.co/v1', ['OPENAI_API_KEY'], false],
])('%s gets the key of %j', (baseUrl, keyNames, needsKey) => {
  expect(serverAt(baseUrl)).toMatchObject({ baseUrl, keyNames, needsKey });
});
