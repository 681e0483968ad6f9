import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { sampleTokens } from '../../../lib/model/exactness/sample-tokens.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { byteTokenizerFiles } from '../hub/byte-tokenizer.ts';

const limits = { contextLength: 2048, vocabulary: 2000 };

test('are two different texts of a few hundred tokens', async () => {
  const { sample, check } = await sampleTokens(packageFile('fixtures/model'), 'bundled', limits);
  expect([sample.length, check.length]).toEqual([512, 512]);
  expect(sample).not.toEqual(check);
});

test('fit the context and the vocabulary', async () => {
  const small = { contextLength: 100, vocabulary: 500 };
  const { sample, check } = await sampleTokens(packageFile('fixtures/model'), 'bundled', small);
  expect(Math.max(sample.length, check.length)).toBeLessThanOrEqual(100);
  expect(Math.max(...sample, ...check)).toBeLessThan(500);
});

test('a template that does not end is stopped', async () => {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(byteTokenizerFiles())) writeFileSync(join(folder, name), text);
  const template = '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}';
  const config = { tokenizer_class: 'PreTrainedTokenizerFast', chat_template: template };
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
  await expect(sampleTokens(folder, 'some-model', limits, 200)).rejects.toMatchObject({
    code: 'MODEL_TEXT_TIMEOUT',
  });
});
