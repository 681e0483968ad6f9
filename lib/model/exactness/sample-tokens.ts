import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { modelTextTimeout } from '../errors.ts';
import { readModelTexts } from '../model-folder.ts';
import { createChatTemplate } from '../text/chat-template.ts';
import type { TextGuard } from '../text/text-guard.ts';
import { createTokenizer } from '../text/tokenizer.ts';
import { checkText, sampleText } from './sample-texts.ts';

export interface SampleTokens {
  readonly sample: readonly number[];
  readonly check: readonly number[];
}

/**
 * The built-in texts as a model reads them, with its own tokenizer and chat template. Throws
 * MODEL_TEXT_TIMEOUT if these do not end, and their own errors.
 */
export async function sampleTokens(
  folder: string,
  name: string,
  limits: { readonly contextLength: number; readonly vocabulary: number },
  textLimitMs = 30_000,
): Promise<SampleTokens> {
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(folder);
  const { guard, isStuck } = timedGuard(textLimitMs);
  try {
    const { encode } = createTokenizer(tokenizer, tokenizerConfig, join(folder, 'tokenizer.json'), guard);
    const render = createChatTemplate(chatTemplate, guard);
    const tokens = ({ request, reply }: typeof sampleText | typeof checkText): readonly number[] => {
      const ids = encode(render([{ role: 'user', content: request }]) + reply);
      return ids.filter(id => id < limits.vocabulary).slice(0, Math.min(POSITIONS, limits.contextLength));
    };
    return { sample: tokens(sampleText), check: tokens(checkText) };
  } catch (error) {
    throw isStuck() ? modelTextTimeout(name, textLimitMs / 1000) : error;
  }
}

/** Tokens of each text. */
const POSITIONS = 512;

/** Files of a model can contain a template or a pattern that does not terminate. */
function timedGuard(limitMs: number): { readonly guard: TextGuard; isStuck(): boolean } {
  let stuck = false;
  const guard = <T>(work: () => T): T => {
    const held: { result?: T } = {};
    const keep = (): void => {
      held.result = work();
    };
    try {
      runInNewContext('keep()', { keep }, { timeout: limitMs });
    } catch (error) {
      stuck ||= (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw error;
    }
    return held.result as T;
  };
  return { guard, isStuck: () => stuck };
}
