import { createHash } from 'node:crypto';
import type { GenerateRequest, TextModel } from '../../core/ports.ts';
import type { ReplyStore } from './reply-store.ts';

/**
 * A model whose answers are kept, so that a request that was answered once is never asked again, in this
 * run or a later one. What comes from the store is marked `cached`, and streamed in one piece.
 */
export function createCachedModel(model: TextModel, store: ReplyStore): TextModel {
  return {
    name: model.name,
    fingerprint: model.fingerprint,
    nativeTools: model.nativeTools,
    answer: model.answer,
    languages: model.languages,
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

/** A hash of all that decides an answer: the server's address or the model's weights, the messages, the sampling. */
function replyKey(fingerprint: string, request: GenerateRequest): string {
  const {
    messages,
    temperature,
    topP,
    topK,
    maxNewTokens,
    seed,
    tools,
    prefill,
    stop,
    raw,
    thinking,
    endAfter,
  } = request;
  const turns = messages.map(({ role, content, toolCalls }) => [role, content, ...(toolCalls ?? [])]);
  const usual = [fingerprint, turns, temperature, topP, topK, maxNewTokens, seed];
  const rare = [
    tools,
    prefill,
    stop,
    raw,
    ...(thinking ? ['thinking'] : []),
    ...(endAfter ? [{ endAfter }] : []),
  ];
  const decisive = rare.some(value => value !== undefined) ? [...usual, rare] : usual;
  return createHash('sha256').update(JSON.stringify(decisive)).digest('hex');
}
