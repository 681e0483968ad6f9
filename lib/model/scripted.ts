import { createHash } from 'node:crypto';
import type { Message, TextModel } from '../core/ports.ts';
import { modelScriptEnded } from './errors.ts';

export interface ScriptedModelOptions {
  /** The completions, in order of the requests. */
  readonly completions: readonly string[];
  readonly name?: string;
}

/**
 * A model that replays given completions, for demonstrations, recorded runs and tests. It streams word by
 * word; a word with the space after it counts as a token. Rejects with MODEL_SCRIPT_ENDED if it is asked for
 * more completions than it has.
 *
 * ```ts
 * import { createScriptedModel, repair } from 'hefix';
 *
 * const model = createScriptedModel({ completions: ['def last(items):\n    return items[-1]\n'] });
 * const code = 'def last(items):\n    return items[0]\n';
 * const { outcome } = await repair({ code, tests: 'assert last([1, 2]) == 2\n', model });
 * console.log(outcome);
 * ```
 */
export function createScriptedModel(options: ScriptedModelOptions): TextModel {
  const { completions, name = 'scripted' } = options;
  let asked = 0;
  let closed = false;
  return {
    name,
    fingerprint: `sha256:${createHash('sha256').update(JSON.stringify(completions)).digest('hex')}`,
    async generate({ messages, maxNewTokens }, { signal, onText } = {}) {
      signal?.throwIfAborted();
      const completion = closed ? undefined : completions[asked++];
      if (completion === undefined) throw modelScriptEnded(name, completions.length);
      const all = chunksOf(completion);
      const emitted = all.slice(0, maxNewTokens);
      for (const word of emitted) {
        signal?.throwIfAborted();
        onText?.(word);
      }
      return {
        text: emitted.join(''),
        promptTokens: chunksOf(joined(messages)).length,
        completionTokens: emitted.length,
        finish: emitted.length < all.length ? 'length' : 'stop',
      };
    },
    async close() {
      closed = true;
    },
  };
}

function chunksOf(text: string): readonly string[] {
  return text.match(/(?:^\s*)?\S+\s*/g) ?? (text === '' ? [] : [text]);
}

function joined(messages: readonly Message[]): string {
  return messages.map(({ content }) => content).join('\n');
}
