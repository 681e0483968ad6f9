import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { promptsVersion } from '../../../lib/repair/prompt/prompts.ts';
import { allPrompts } from './all-prompts.ts';

test('the version changes with the text of any prompt', () => {
  const hash = createHash('sha256').update(allPrompts()).digest('hex');
  expect(hash, 'a prompt has changed: set promptsVersion to the received value').toBe(promptsVersion);
});
