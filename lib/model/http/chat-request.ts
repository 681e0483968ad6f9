import type { GenerateRequest } from '../../ports.ts';

/** The parameters of the chat completions API that decide what is sampled. */
export const samplingParameters = ['temperature', 'top_p', 'top_k', 'seed', 'max_tokens'] as const;
export type SamplingParameter = (typeof samplingParameters)[number];

/** Where compatible servers differ; each is found out from the first refusal. */
export interface Dialect {
  /** A server that does not report usage while it streams is asked for whole replies. */
  readonly stream: boolean;
  /** OpenAI's reasoning models know the second alone. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
}

export const usualDialect: Dialect = { stream: true, maxTokensName: 'max_tokens' };

/** The body of a request, without the parameters that the user leaves to the server. */
export function chatRequest(
  model: string,
  request: GenerateRequest,
  omitted: readonly SamplingParameter[],
  { stream, maxTokensName }: Dialect,
): Readonly<Record<string, unknown>> {
  const { messages, temperature, topP, topK, seed, maxNewTokens } = request;
  const parameters: readonly [SamplingParameter, string, number][] = [
    ['temperature', 'temperature', temperature],
    ['top_p', 'top_p', topP],
    ['seed', 'seed', seed],
    ['max_tokens', maxTokensName, maxNewTokens],
  ];
  // Not all servers know top_k, and 0 means to keep all, which they do without it.
  const all = topK > 0 ? [...parameters, ['top_k', 'top_k', topK] as const] : parameters;
  const sent = all.filter(([parameter]) => !omitted.includes(parameter));
  return {
    model,
    messages,
    ...Object.fromEntries(sent.map(([, name, value]) => [name, value])),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  };
}
