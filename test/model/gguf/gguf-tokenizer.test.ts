import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { packageFile } from '../../../lib/files/package.ts';
import { ggufTexts } from '../../../lib/model/gguf/gguf-tokenizer.ts';
import { createTokenizer } from '../../../lib/model/text/tokenizer.ts';
import { sharedData } from '../../support/shared-data.ts';
import { byteCharacters } from '../hub/byte-tokenizer.ts';

const rowSchema = z.object({ text: z.string(), ids: z.array(z.number()) });
const sentencePieceSchema = z.object({
  tokens: z.array(z.string()),
  scores: z.array(z.number()),
  types: z.array(z.number()),
  texts: z.array(rowSchema),
});
const tokenizerSchema = z.object({
  added_tokens: z.array(z.object({ id: z.number(), content: z.string(), special: z.boolean() })),
  model: z.object({ vocab: z.record(z.string(), z.number()), merges: z.array(z.string()) }),
});

test.each([
  ['qwen2.5', 'qwen2'],
  ['smollm2', 'smollm'],
])('%s: a tokenizer from metadata gives the ids of the Rust library', async (name, pre) => {
  const folder = sharedData(`tokenizers/${name}`);
  if (folder === null) return;
  const { added_tokens: added, model } = tokenizerSchema.parse(
    JSON.parse(gunzipSync(await readFile(join(folder, 'tokenizer.json.gz'))).toString()),
  );
  const tokens: string[] = [];
  const types: number[] = [];
  for (const [content, id] of Object.entries(model.vocab)) [tokens[id], types[id]] = [content, 1];
  for (const { id, content, special } of added) [tokens[id], types[id]] = [content, special ? 3 : 4];
  const metadata = {
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': pre,
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': types,
    'tokenizer.ggml.merges': model.merges,
    'tokenizer.chat_template': '{{ messages }}',
  };
  const texts = ggufTexts({ path: name, metadata, tensors: new Map() });
  const tokenizer = createTokenizer(texts['tokenizer.json'], texts['tokenizer_config.json'], name);
  const lines = gunzipSync(await readFile(join(folder, 'golden.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  const rows = lines.map(line => rowSchema.parse(JSON.parse(line)));
  expect(rows.length).toBeGreaterThan(50);
  for (const { text, ids } of rows) expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
});

describe('pre-tokenizers split as llama.cpp does', () => {
  const merges = ['1 2', '12 3', '123 4', '1234 5', '4 5', 'e X', "e '", '/ Ċ'];
  const tokens = [...byteCharacters(), ...merges.map(merge => merge.replace(' ', ''))];
  test.each([
    [['gpt-2', 'olmo'], "12345 eX Ġ w e ' L L / Ċ"],
    [['smollm', 'starcoder', 'refact'], "1 2 3 4 5 eX Ġ w e ' L L / Ċ"],
    [['qwen2', 'deepseek-r1-qwen'], "1 2 3 4 5 eX Ġ w e ' L L /Ċ"],
    [['dbrx', 'smaug-bpe', 'llama-bpe', 'llama3', 'lfm2'], "123 45 eX Ġ w e ' L L /Ċ"],
    [['gpt-4o'], "123 45 e X Ġ w e' L L /Ċ"],
    [['tekken'], "1 2 3 4 5 e X Ġ w e ' L L /Ċ"],
  ])('%s', (names, expected) => {
    for (const name of names) {
      const metadata = {
        'tokenizer.ggml.model': 'gpt2',
        'tokenizer.ggml.pre': name,
        'tokenizer.ggml.tokens': tokens,
        'tokenizer.ggml.token_type': tokens.map((_, id) => (id === 0 ? 3 : 1)),
        'tokenizer.ggml.merges': merges,
        'tokenizer.ggml.bos_token_id': 0,
        'tokenizer.chat_template': '{{ messages }}',
      };
      const texts = ggufTexts({ path: name, metadata, tensors: new Map() });
      const tokenizer = createTokenizer(texts['tokenizer.json'], texts['tokenizer_config.json'], name);
      const ids = tokenizer.encodeWhole("12345eX we'LL/\n");
      const starts = ['llama-bpe', 'llama3', 'lfm2', 'tekken'].includes(name) ? `${tokens[0]} ` : '';
      expect(ids.map(id => tokens[id]).join(' ')).toBe(`${starts}${expected}`);
    }
  });
});

describe('SentencePiece', () => {
  const { texts, ...vocabulary } = sentencePieceSchema.parse(
    JSON.parse(readFileSync(packageFile('fixtures/gguf/sentencepiece.json'), 'utf8')),
  );
  const metadata = {
    'general.architecture': 'llama',
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': vocabulary.tokens,
    'tokenizer.ggml.scores': vocabulary.scores,
    'tokenizer.ggml.token_type': vocabulary.types,
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.chat_template': '{{ messages }}',
  };
  const tokenizerOf = (changes: Readonly<Record<string, unknown>> = {}) => {
    const found = ggufTexts({
      path: 'model.gguf',
      metadata: { ...metadata, ...changes },
      tensors: new Map(),
    });
    return createTokenizer(found['tokenizer.json'], found['tokenizer_config.json'], 'model.gguf');
  };
  /** Ids of the tokens, which must exist. */
  const ids = (...tokens: readonly string[]): number[] =>
    tokens.map(token => vocabulary.tokens.indexOf(token));

  test('a tokenizer from metadata gives the ids of the library, and the text again', () => {
    const tokenizer = tokenizerOf();
    expect(texts.length).toBeGreaterThan(40);
    for (const { text, ids } of texts) {
      expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
      // The tokenizer library drops a byte order mark.
      if (!/[▁\ufeff]/.test(text)) expect(tokenizer.decode(ids)).toBe(text);
    }
  });

  test('texts start with a special token, unless the file says otherwise', () => {
    expect(tokenizerOf().encodeWhole('a')).toEqual([1, ...ids('▁a')]);
    expect(tokenizerOf({ 'tokenizer.ggml.add_bos_token': false }).encodeWhole('a')).toEqual(ids('▁a'));
  });

  test('texts start with a space, also after a special token, unless the file says otherwise', () => {
    expect(tokenizerOf().encode('a</s>a')).toEqual([...ids('▁a'), 2, ...ids('▁a')]);
    const without = tokenizerOf({ 'tokenizer.ggml.add_space_prefix': false });
    expect(without.encode('a</s> a')).toEqual([...ids('a'), 2, ...ids('▁a')]);
    expect(without.decode(without.encode(' a'))).toBe(' a');
  });

  test('Phi-3 drops white space after its special tokens, as llama.cpp does', () => {
    const text = 'a</s>\n\na<s>\na';
    const expected = [...ids('▁a'), 2, ...ids('▁a'), 1, ...ids('▁', '<0x0A>', 'a')];
    expect(tokenizerOf({ 'general.architecture': 'phi3' }).encode(text)).toEqual(expected);
  });

  test('user-defined tokens are matched before the text is split', () => {
    const tokens = [...vocabulary.tokens, '<|user|>', '\n\n'];
    const tokenizer = tokenizerOf({
      'tokenizer.ggml.tokens': tokens,
      'tokenizer.ggml.scores': [...vocabulary.scores, -1000, -1000],
      'tokenizer.ggml.token_type': [...vocabulary.types, 3, 4],
    });
    expect(tokenizer.encode('<|user|>a\n\n')).toEqual([tokens.length - 2, ...ids('▁a'), tokens.length - 1]);
    expect(tokenizer.decode([tokens.length - 2, tokens.length - 1])).toBe('\n\n');
  });

  test('answers end at the end of a turn, too', () => {
    const changes = {
      'tokenizer.ggml.tokens': [...vocabulary.tokens, '<end_of_turn>'],
      'tokenizer.ggml.scores': [...vocabulary.scores, -1000],
      'tokenizer.ggml.token_type': [...vocabulary.types, 3],
    };
    const found = ggufTexts({
      path: 'model.gguf',
      metadata: { ...metadata, ...changes },
      tensors: new Map(),
    });
    expect(found['generation_config.json']).toEqual({ eos_token_id: [2, vocabulary.tokens.length] });
  });

  test.each([
    [{ 'tokenizer.ggml.scores': [] }, 'its tokens and their scores differ in number'],
    [{ 'tokenizer.ggml.scores': vocabulary.scores.map(() => -1000) }, 'asks for tokens without scores'],
    [
      {
        'tokenizer.ggml.tokens': vocabulary.tokens.map((token, id) =>
          id === 600 ? 'a'.repeat(2000) : token,
        ),
      },
      'asks for tokens of more than 1000 characters',
    ],
    [{ 'tokenizer.ggml.remove_extra_whitespaces': true }, 'asks for a tokenizer that removes spaces'],
    [{ 'tokenizer.ggml.precompiled_charsmap': [1] }, 'asks for a tokenizer that replaces characters'],
    [{ 'tokenizer.ggml.model': 't5' }, 'asks for the tokenizer t5'],
  ])('refuses others by name: %o', (changes, sentence) => {
    expect(() => tokenizerOf(changes)).toThrow(sentence);
  });
});
