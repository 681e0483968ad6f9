import { expect, test } from 'vitest';
import { tokenLimits } from '../../../lib/fix/write/ask-model.ts';

test.each([
  ['a server', {}, {}, { prompt: 8000, answer: 4096 }],
  ['a server with a short context', {}, { contextLength: 8192 }, { prompt: 4096, answer: 4096 }],
  ['a server with a very short one', {}, { contextLength: 2048 }, { prompt: 1024, answer: 1024 }],
  ['a local model', {}, { device: 'cpu', contextLength: 32_768 }, { prompt: 8000, answer: 1024 }],
  ['a small local one', {}, { device: 'cpu', contextLength: 4096 }, { prompt: 3072, answer: 1024 }],
  [
    'limits that are set',
    { context: 20_000, answerTokens: 500 },
    { device: 'cpu', contextLength: 32_768 },
    { prompt: 20_000, answer: 500 },
  ],
  [
    'limits beyond the context',
    { context: 20_000, answerTokens: 5000 },
    { device: 'cpu', contextLength: 8192 },
    { prompt: 4096, answer: 4096 },
  ],
])('the tokens of %s', (_, options, model, limits) => {
  expect(tokenLimits(options, model)).toEqual(limits);
});
