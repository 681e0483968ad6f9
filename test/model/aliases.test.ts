import { expect, test } from 'vitest';
import { knownModels, nearestModel, unaliased } from '../../lib/model/aliases.ts';

test.each([
  ['qwen2.5-0.5b', 'Qwen/Qwen2.5-0.5B-Instruct'],
  ['Qwen2.5-Coder-0.5B', 'Qwen/Qwen2.5-Coder-0.5B-Instruct'],
  ['qwen2.5-coder-1.5b', 'Qwen/Qwen2.5-Coder-1.5B-Instruct'],
  ['qwen3-0.6b', 'Qwen/Qwen3-0.6B'],
  ['smollm2-135m', 'HuggingFaceTB/SmolLM2-135M-Instruct'],
  ['smollm2-360m', 'HuggingFaceTB/SmolLM2-360M-Instruct'],
  ['deepseek-coder-1.3b', 'deepseek-ai/deepseek-coder-1.3b-instruct'],
  ['Qwen/Qwen2.5-Coder-0.5B-Instruct', 'Qwen/Qwen2.5-Coder-0.5B-Instruct'],
  ['unsloth/Qwen2.5-Coder-0.5B-Instruct', 'unsloth/Qwen2.5-Coder-0.5B-Instruct'],
  ['unsloth/Qwen2.5-Coder-0.5B-Instruct-bnb-4bit', 'unsloth/Qwen2.5-Coder-0.5B-Instruct'],
  ['unsloth/Qwen3-0.6B-unsloth-bnb-4bit', 'unsloth/Qwen3-0.6B'],
  ['Qwen/Qwen2.5-Coder-0.5B-Instruct-GPTQ-Int4', 'Qwen/Qwen2.5-Coder-0.5B-Instruct'],
  ['someone/their-model-GGUF', 'someone/their-model-GGUF'],
  ['./models/my-model-AWQ', './models/my-model-AWQ'],
  ['hefix-mini', 'hefix-mini'],
])('%s is %s', (name, id) => {
  expect(unaliased(name)).toBe(id);
});

test('no two have the same name', () => {
  expect(new Set(knownModels.map(({ alias }) => alias)).size).toBe(knownModels.length);
});

test.each([
  ['qwen2.5-codr-0.5b', 'qwen2.5-coder-0.5b'],
  ['Qwen/Qwen2.5-Codr-0.5B-Instruct', 'Qwen/Qwen2.5-Coder-0.5B-Instruct'],
  ['hefix-mni', 'hefix-mini'],
  ['mistral', undefined],
])('%s may have meant %s', (name, nearest) => {
  expect(nearestModel(name, ['hefix-mini'])).toBe(nearest);
});
