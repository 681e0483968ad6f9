import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { modelTextTimeout } from '../../core/errors.ts';
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
): Promise<SampleTokens> {
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(folder);
  const guard = timedGuard(name);
  const { encode } = createTokenizer(tokenizer, tokenizerConfig, join(folder, 'tokenizer.json'), guard);
  const render = createChatTemplate(chatTemplate, guard);
  const tokens = ({ request, reply }: typeof sampleText | typeof checkText): readonly number[] => {
    const ids = encode(render([{ role: 'user', content: request }]) + reply);
    return ids.filter(id => id < limits.vocabulary).slice(0, Math.min(POSITIONS, limits.contextLength));
  };
  return { sample: tokens(sampleText), check: tokens(checkText) };
}

/** Tokens of each text. */
const POSITIONS = 512;

/** Files of a model can contain a template or a pattern that does not terminate. */
function timedGuard(name: string): TextGuard {
  return <T>(work: () => T): T => {
    const held: { result?: T } = {};
    const keep = (): void => {
      held.result = work();
    };
    try {
      runInNewContext('keep()', { keep }, { timeout: LIMIT_MS });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? modelTextTimeout(name, LIMIT_MS / 1000) : error;
    }
    return held.result as T;
  };
}

const LIMIT_MS = 30_000;
