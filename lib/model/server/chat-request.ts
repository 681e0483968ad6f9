import type { GenerateRequest, Message } from '../../core/ports.ts';

/** The parameters of the chat completions API that decide what is sampled, and that a server may not know. */
export const samplingParameters = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'max_tokens',
  'tools',
  'chat_template_kwargs',
  'reasoning_effort',
] as const;
export type SamplingParameter = (typeof samplingParameters)[number];

/** Where compatible servers differ; each is found out from the first errorResponse. */
export interface Dialect {
  /** A server that does not report usage while it streams is asked for whole replies. */
  readonly stream: boolean;
  /** OpenAI's reasoning models know the second alone. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
  /**
   * By what a model is told not to think: a value for the chat template, as vLLM, SGLang and llama.cpp take it, or
   * OpenAI's `reasoning_effort`, the only switch that Ollama has at this address
   * (https://docs.ollama.com/api/openai-compatibility). `none` where the server takes no such word.
   */
  readonly thinking: 'template' | 'effort' | 'none';
}

export const defaultDialect: Dialect = { stream: true, maxTokensName: 'max_tokens', thinking: 'template' };

/** The body of a request, without the parameters that the user leaves to the server. */
export function chatRequest(
  model: string,
  request: GenerateRequest,
  omitted: readonly SamplingParameter[],
  { stream, maxTokensName, thinking: thinkingSwitch }: Dialect,
): Readonly<Record<string, unknown>> {
  const { messages, temperature, topP, topK, seed, maxNewTokens, tools, prefill = '', thinking } = request;
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
    messages: [
      ...messages.map((message, index) => turnOf(message, index, messages)),
      ...(prefill === '' ? [] : [{ role: 'assistant', content: prefill }]),
    ],
    // How vLLM is told to go on with the last turn; llama.cpp does so by itself.
    ...(prefill === '' ? {} : { add_generation_prompt: false, continue_final_message: true }),
    ...wordOnThinking(model, thinking ?? false, thinkingSwitch, omitted),
    ...(tools ? { tools: tools.map(tool => ({ type: 'function', function: tool })) } : {}),
    ...Object.fromEntries(sent.map(([, name, value]) => [name, value])),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  };
}

/** Models that would not think unasked are told nothing that their server may not know. */
function wordOnThinking(
  model: string,
  thinking: boolean,
  by: Dialect['thinking'],
  omitted: readonly SamplingParameter[],
): Readonly<Record<string, unknown>> {
  if (!thinking && !thinksUnasked(model)) return {};
  if (by === 'template' && !omitted.includes('chat_template_kwargs')) {
    return { chat_template_kwargs: { enable_thinking: thinking } };
  }
  // Ollama lets a model think that can, and refuses levels of effort that the model does not have.
  return by === 'effort' && !thinking && !omitted.includes('reasoning_effort')
    ? { reasoning_effort: 'none' }
    : {};
}

/** Models whose template lets them think unless it is told not to. */
function thinksUnasked(model: string): boolean {
  return /qwen-?3(?!.*(?:instruct|coder|2507))/i.test(model);
}

/** A call and its result are joined by an id, which is the call's place in the conversation. */
function turnOf({ role, content, toolCalls }: Message, index: number, messages: readonly Message[]) {
  if (role === 'tool') return { role, content, tool_call_id: callId(messages, index) };
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ name, arguments: given }, call) => ({
    id: idOf(index, call),
    type: 'function',
    function: { name, arguments: given },
  }));
  return { role, content, tool_calls: calls };
}

/** Results follow the turn that asked for them, in the order of its calls. */
function callId(messages: readonly Message[], index: number): string {
  const asked = messages.slice(0, index).findLastIndex(({ role }) => role !== 'tool');
  return idOf(asked, index - asked - 1);
}

/** Nine letters and digits, which is all that Mistral's models take. */
function idOf(index: number, call: number): string {
  return `call${String(index).padStart(3, '0')}${String(call).padStart(2, '0')}`;
}
