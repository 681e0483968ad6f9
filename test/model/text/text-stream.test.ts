import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openModelFolder } from '../../../lib/model/model-folder.ts';
import { createTextStream, createTokenizer } from '../../../lib/model/text/tokenizer.ts';
import { referenceFolder } from '../reference-model.ts';

const folder = await openModelFolder(referenceFolder);
const tokenizer = createTokenizer(folder.tokenizer, folder.tokenizerConfig, referenceFolder);

function streamed(ids: readonly number[]): string[] {
  const stream = createTextStream(tokenizer.decode);
  return [...ids.map(id => stream.push(id)), stream.end()].filter(piece => piece !== '');
}

test('a character split over tokens arrives in one piece', () => {
  const ids = tokenizer.encode('a🙂b→日');
  expect(ids.length).toBeGreaterThan(8);
  expect(streamed(ids)).toEqual(['a', '🙂', 'b', '→', '日']);
});

test('the pieces of any tokens, even broken characters, add up to their text', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(tokenizer.largestId), { maxLength: 60 }), ids => {
      expect(streamed(ids).join('')).toBe(tokenizer.decode(ids));
    }),
  );
});

test('the pieces of any text add up to it, with only its own characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
      const pieces = streamed(tokenizer.encode(text));
      expect(pieces.join('')).toBe(text);
      if (!text.includes('\uFFFD')) expect(pieces.join('|')).not.toContain('\uFFFD');
    }),
  );
});
