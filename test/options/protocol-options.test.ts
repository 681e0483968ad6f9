import { expect, test } from 'vitest';
import { parseRunOptions } from '../../lib/options/run-options.ts';

const given = { prompt: 'humanevalfixtests' };

test('a published protocol asks once, by the model’s own template', () => {
  expect(parseRunOptions(given)).toMatchObject({
    agent: 'one-shot',
    iters: 0,
    template: 'chat',
    temperature: 0,
    samples: 1,
  });
});

test('its defaults are those published, and what is given stays', () => {
  const published = { temperature: 0.2, topP: 0.95, samples: 20 };
  expect(parseRunOptions({ ...given, protocolDefaults: true })).toMatchObject(published);
  expect(parseRunOptions({ ...given, protocolDefaults: true, samples: '5', topP: '1' })).toMatchObject({
    ...published,
    samples: 5,
    topP: 1,
  });
});

test.each([
  [{ ...given, agent: 'react' }, '--agent is "react", expected one-shot'],
  [{ ...given, fewShot: '1' }, '--few-shot is 1, expected 0'],
  [{ ...given, iters: '2' }, '--iters is "2", expected 0'],
  [
    { ...given, backend: 'openai', model: 'm', template: 'plain' },
    '--template is "plain", expected chat with --backend openai',
  ],
  [{ template: 'plain' }, '--template is "plain", expected a published --prompt'],
  [{ protocolDefaults: true }, '--protocol-defaults was given, expected a published --prompt'],
])('%j is refused', (options, message) => {
  expect(() => parseRunOptions(options)).toThrow(message);
});
