import { expect, test } from 'vitest';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';

const given = { prompt: 'humanevalfixtests' };

test('a published protocol prompts once, with the model’s own template', () => {
  expect(parseRunOptions(given)).toMatchObject({
    agent: 'one-shot',
    iters: 0,
    template: 'chat',
    temperature: 0,
    samples: 1,
  });
});

test('its defaults are the published ones, and given options override them', () => {
  const published = { temperature: 0.2, topP: 0.95, samples: 20, maxNewTokens: 2048, maxLength: 2048 };
  expect(parseRunOptions({ ...given, protocolDefaults: true })).toMatchObject(published);
  expect(parseRunOptions({ ...given, protocolDefaults: true, samples: '5', topP: '1' })).toMatchObject({
    ...published,
    samples: 5,
    topP: 1,
  });
});

test('a server gets the requests of the script for chat APIs, limited in new tokens', () => {
  const server = { ...given, backend: 'openai', model: 'm', protocolDefaults: true };
  expect(parseRunOptions(server)).toMatchObject({
    template: 'api',
    maxNewTokens: 2048,
    maxLength: undefined,
  });
  expect(parseRunOptions({ ...server, template: 'chat' }).template).toBe('chat');
});

test('pass@1 runs nothing before the first candidate', () => {
  expect(parseRunOptions({ passAt1: true })).toMatchObject({ noExamples: true, iters: 0 });
  expect(parseRunOptions({ passAt1: true, iters: 2 })).toMatchObject({ noExamples: true, iters: 2 });
});

test.each([
  [{ passAt1: true, agent: 'search' }, '--pass-at-1 and --agent search cannot be combined.'],
  [{ passAt1: true, feedback: 'examples' }, '--pass-at-1 and --feedback examples cannot be combined.'],
  [{ ...given, agent: 'react' }, '--agent react and --prompt humanevalfixtests cannot be combined.'],
  [{ ...given, fewShot: '1' }, '--few-shot and --prompt humanevalfixtests cannot be combined.'],
  [{ ...given, iters: '2' }, '--iters and --agent one-shot cannot be combined.'],
  [
    { ...given, backend: 'openai', model: 'm', template: 'instruct' },
    '--template is "instruct", expected api or chat with --backend openai',
  ],
  [{ template: 'zephyr' }, '--template requires a published --prompt.'],
  [{ protocolDefaults: true }, '--protocol-defaults requires a published --prompt.'],
])('%j is refused', (options, message) => {
  expect(() => parseRunOptions(options)).toThrow(message);
});
