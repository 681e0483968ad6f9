import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';
import { sharedData, sharedDataMissing } from '../../support/shared-data.ts';
import { referenceFolder } from '../reference-model.ts';

const rowSchema = z.object({ text: z.string(), ids: z.array(z.number()) });

test.for(['qwen2.5', 'smollm2'])('%s: ids and text match the Rust library', async (name, { skip }) => {
  const folder = sharedData(`tokenizers/${name}`);
  if (folder === null) return skip(sharedDataMissing);
  const json = gunzipSync(await readFile(join(folder, 'tokenizer.json.gz'))).toString();
  const tokenizer = createTokenizer(JSON.parse(json), {}, name);
  const lines = gunzipSync(await readFile(join(folder, 'golden.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  const rows = lines.map(line => rowSchema.parse(JSON.parse(line)));
  expect(rows.length).toBeGreaterThan(50);
  for (const { text, ids } of rows) {
    expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
    expect(tokenizer.decode(ids).normalize('NFC')).toBe(withoutSpecial(text).normalize('NFC'));
  }
});

test('words end as in the Rust library, even next to unusual digits and spaces', async () => {
  const tokenizer = createTokenizer(await json('tokenizer.json'), {}, 'tokenizer.json');
  const rows = z.array(rowSchema).parse(await json('golden-ids.json'));
  expect(rows.map(({ text }) => tokenizer.encode(text))).toEqual(rows.map(({ ids }) => ids));
});

test('no ids give no text, and special tokens leave none', async () => {
  const tokenizer = createTokenizer(await json('tokenizer.json'), {}, 'tokenizer.json');
  expect(tokenizer.decode([])).toBe('');
  expect(tokenizer.encode('<|im_end|>')).toEqual([2]);
  expect(tokenizer.decode([2])).toBe('');
});

test('an invalid tokenizer is refused with its file name', () => {
  expect(() => createTokenizer({ model: { type: 'BPE' } }, {}, 'x/tokenizer.json')).toThrowError(
    expect.objectContaining({
      code: 'MODEL_TOKENIZER_INVALID',
      message: expect.stringContaining('x/tokenizer.json'),
    }),
  );
});

const replace = (pattern: object, content: string) => ({ type: 'Replace', pattern, content });

test.each([
  ['that double a letter', { normalizers: Array(40).fill(replace({ String: 'x' }, 'xx')) }, null],
  ['that write a page between letters', replace({ Regex: '' }, 'x'.repeat(50_000)), null],
  ['of bytes', null, { pretokenizers: Array(40).fill({ type: 'ByteLevel' }) }],
  ['of long spaces', null, { type: 'Metaspace', replacement: 'x'.repeat(50) }],
])('a tokenizer with steps %s is refused', async (_, normalizer, pre_tokenizer) => {
  const tokenizer = { ...(await json('tokenizer.json')), normalizer, pre_tokenizer };
  expect(() => createTokenizer(tokenizer, {}, 'tokenizer.json')).toThrowError(
    expect.objectContaining({
      code: 'MODEL_TOKENIZER_INVALID',
      message: expect.stringContaining('more than 32 times as long'),
    }),
  );
});

test('a text that its steps can make longer than 2^23 characters is refused', async () => {
  const normalizer = replace({ String: 'x' }, 'xxxx');
  const tokenizer = { ...(await json('tokenizer.json')), normalizer, pre_tokenizer: null };
  const { encode } = createTokenizer(tokenizer, {}, 'tokenizer.json');
  expect(encode('x'.repeat(1000)).length).toBeGreaterThan(0);
  // Only the text's own length and the steps count, not what the steps make of this text.
  for (const letter of ['x', 'y'])
    expect(() => encode(letter.repeat(2 ** 21 + 1))).toThrow('at most 2097152 characters');
});

test('steps of models are not refused', async () => {
  const normalizers = [
    { type: 'Prepend', prepend: '▁' },
    replace({ String: ' ' }, '▁'),
    replace({ Regex: ' {2,}' }, '▁'),
    replace({ String: '``' }, '"'),
  ];
  const normalizer = { type: 'Sequence', normalizers };
  const tokenizer = createTokenizer({ ...(await json('tokenizer.json')), normalizer }, {}, 'x');
  expect(tokenizer.encode('a b').length).toBeGreaterThan(0);
});

function withoutSpecial(text: string): string {
  return text.replace(/<\|(?:im_start|im_end|endoftext)\|>/g, '');
}

async function json(file: string) {
  return JSON.parse(await readFile(join(referenceFolder, file), 'utf8'));
}
