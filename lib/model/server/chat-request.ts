import type { SamplingParameter } from '../../core/choices.ts';
import type { GenerateRequest, Message } from '../../core/ports.ts';
import { plainRoles } from '../text/plain-roles.ts';

/** Differences between compatible servers, detected from error responses. */
export interface Dialect {
  /** A server that refuses streaming or its options is asked for complete replies. */
  readonly stream: boolean;
  /** OpenAI's reasoning models accept only the second. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
  /**
   * How to disable thinking: a chat template argument, as vLLM, SGLang and llama.cpp accept it, or OpenAI's
   * `reasoning_effort`, the only switch that Ollama has at this address
   * (https://docs.ollama.com/api/openai-compatibility). `none` if the server accepts neither.
   */
  readonly thinking: 'template' | 'effort' | 'none';
  /** See plainRoles. */
  readonly roles: 'all' | 'plain';
  /** Whether grammars are sent. */
  readonly grammar: boolean;
}

export const defaultDialect: Dialect = {
  stream: true,
  maxTokensName: 'max_tokens',
  thinking: 'template',
  roles: 'all',
  grammar: true,
};

/** The body of a request, without the parameters that are left to the server. */
export function chatRequest(
  model: string,
  request: GenerateRequest,
  omitted: readonly SamplingParameter[],
  { stream, maxTokensName, thinking: thinkingSwitch, roles, grammar: takesGrammar }: Dialect,
): Readonly<Record<string, unknown>> {
  const messages = roles === 'plain' ? plainRoles(request.messages) : request.messages;
  const { temperature, topP, topK, seed, maxNewTokens, tools, prefill = '', thinking, grammar } = request;
  const parameters: readonly [SamplingParameter, string, number][] = [
    ['temperature', 'temperature', temperature],
    ['top_p', 'top_p', topP],
    ['seed', 'seed', seed],
    ['max_tokens', maxTokensName, maxNewTokens],
  ];
  // Not all servers support top_k; 0 keeps all tokens, which is their default.
  const all = topK > 0 ? [...parameters, ['top_k', 'top_k', topK] as const] : parameters;
  const sent = all.filter(([parameter]) => !omitted.includes(parameter));
  return {
    model,
    messages: [
      ...messages.map((message, index) => turnOf(message, index, messages)),
      ...(prefill === '' ? [] : [{ role: 'assistant', content: prefill }]),
    ],
    // Tells vLLM to continue the last turn; llama.cpp does so by default.
    ...(prefill === '' ? {} : { add_generation_prompt: false, continue_final_message: true }),
    ...wordOnThinking(model, thinking ?? false, thinkingSwitch, omitted),
    ...(tools ? { tools: tools.map(tool => ({ type: 'function', function: tool })) } : {}),
    ...(grammar !== undefined && takesGrammar ? grammarFields(grammar) : {}),
    ...Object.fromEntries(sent.map(([, name, value]) => [name, value])),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  };
}

/**
 * The field of llama.cpp (https://github.com/ggml-org/llama.cpp/tree/master/tools/server), of vLLM since 0.11 and before
 * (https://docs.vllm.ai/en/latest/features/structured_outputs.html), and of SGLang
 * (https://docs.sglang.ai/advanced_features/structured_outputs.html). Each ignores those of the others.
 */
function grammarFields(grammar: string): Readonly<Record<string, unknown>> {
  return { grammar, structured_outputs: { grammar }, guided_grammar: grammar, ebnf: grammar };
}

/** Nothing is sent for models that do not think by default, since their server may not support the switch. */
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
  // Ollama enables thinking by default, and rejects reasoning effort levels that a model does not have.
  return by === 'effort' && !thinking && !omitted.includes('reasoning_effort')
    ? { reasoning_effort: 'none' }
    : {};
}

/** Models whose template enables thinking by default. */
function thinksUnasked(model: string): boolean {
  return /qwen-?3(?!.*(?:instruct|coder|2507))/i.test(model);
}

/** A call and its result are linked by an id, derived from the call's position in the conversation. */
function turnOf({ role, content, toolCalls }: Message, index: number, messages: readonly Message[]) {
  if (role === 'tool') return { role, content, tool_call_id: callId(messages, index) };
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ name, arguments: argumentText }, call) => ({
    id: idOf(index, call),
    type: 'function',
    function: { name, arguments: argumentText },
  }));
  return { role, content, tool_calls: calls };
}

/** Results follow the turn with the calls, in the same order. */
function callId(messages: readonly Message[], index: number): string {
  const asked = messages.slice(0, index).findLastIndex(({ role }) => role !== 'tool');
  return idOf(asked, index - asked - 1);
}

/** Nine letters and digits, the only form that Mistral's models accept. */
function idOf(index: number, call: number): string {
  return `call${String(index).padStart(3, '0')}${String(call).padStart(2, '0')}`;
}
