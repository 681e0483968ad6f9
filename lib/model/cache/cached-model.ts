import { createHash } from 'node:crypto';
import { descriptionOf, type GenerateRequest, type TextModel } from '../../core/ports.ts';
import type { ReplyStore } from './reply-store.ts';

/**
 * A model with a reply cache: a request that was answered once is never sent again, in this run or a later
 * one. Replies from the cache are marked `cached` and streamed in one chunk.
 */
export function createCachedModel(model: TextModel, store: ReplyStore): TextModel {
  return {
    ...descriptionOf(model),
    ...(model.beams && { beams: model.beams.bind(model) }),
    ...(model.score && { score: model.score.bind(model) }),
    async generate(request, options = {}) {
      options.signal?.throwIfAborted();
      const key = replyKey(model.fingerprint, request);
      const kept = await store.read(key);
      if (kept === null) {
        const completion = await model.generate(request, options);
        await store.write(key, completion);
        return completion;
      }
      if (kept.text !== '') options.onText?.(kept.text);
      return { ...kept, cached: true };
    },
    close: () => model.close(),
  };
}

/**
 * A hash of the whole request and of the server's address or the model's weights: any part may change the
 * answer.
 */
function replyKey(fingerprint: string, request: GenerateRequest): string {
  return createHash('sha256')
    .update(canonicalJson([fingerprint, request]))
    .digest('hex');
}

/** Independent of key order; undefined values count as absent. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
