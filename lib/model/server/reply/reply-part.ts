import { z } from 'zod';

/**
 * What hefix reads of a whole reply or a chunk of a stream. Servers differ in the rest, and in the types of what is only
 * counted, so that a field of an unexpected type counts as missing.
 */
export interface ReplyPart {
  /** Whether it holds a choice; chunks with usage or filter results alone do not. */
  readonly hasChoice: boolean;
  readonly text: string;
  /** The model's thoughts, if the server reports them separately. */
  readonly thoughts: string;
  readonly calls: readonly CallPart[];
  /** Lower case; empty if missing, as it is in all chunks but the last. */
  readonly finish: string;
  readonly usage: Usage | null;
  /** What the server reports as an error, as JSON text; null if there is none. */
  readonly error: string | null;
}

export interface CallPart {
  /** The call that it belongs to; a chunk without an index is a separate call. */
  readonly index: number | null;
  readonly name: string;
  readonly arguments: string;
}

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  /** Cached prompt tokens that the server left out of its count; most servers include them. */
  readonly cachedApart: number;
}

/** Null if the JSON value is neither a completion, a chunk nor an error. */
export function readReplyPart(json: unknown): ReplyPart | null {
  const error = errorIn(json);
  const part = partSchema.safeParse(json).data;
  if (part === undefined) return error === null ? null : { ...NOTHING, error };
  const choice = part.choices[0];
  const { content, reasoning_content, reasoning, tool_calls, refusal } =
    choice?.message ?? choice?.delta ?? {};
  return {
    hasChoice: choice != null,
    text: textOf(content, 'answer') || textOf(choice?.text, 'answer') || textOf(refusal, 'answer'),
    thoughts: [
      textOf(content, 'thoughts'),
      textOf(reasoning_content, 'any') || textOf(reasoning, 'any'),
    ].join(''),
    calls: (tool_calls ?? []).flatMap(callOf),
    finish: choice?.finish_reason?.toLowerCase() ?? '',
    usage: usageOf(part.usage),
    error: error ?? errorIn(choice),
  };
}

const NOTHING: ReplyPart = {
  hasChoice: false,
  text: '',
  thoughts: '',
  calls: [],
  finish: '',
  usage: null,
  error: null,
};

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const anything = z.unknown().optional();
const messageSchema = z.object({
  content: anything,
  refusal: anything,
  reasoning: anything,
  reasoning_content: anything,
  tool_calls: lenient(z.array(z.unknown())),
});
const choiceSchema = z.object({
  /** Set in a complete reply. */
  message: lenient(messageSchema),
  /** Set in a streamed chunk. */
  delta: lenient(messageSchema),
  /** Set by servers that answer in the format of plain completions. */
  text: anything,
  finish_reason: lenient(z.string()),
  error: anything,
});
const partSchema = z.object({
  choices: z
    .array(lenient(choiceSchema))
    .nullish()
    .transform(choices => choices ?? []),
  usage: anything,
});

/** A string, or a list of parts: texts and thoughts (Mistral, Anthropic), each a string or a list again. */
function textOf(content: unknown, wanted: 'answer' | 'thoughts' | 'any'): string {
  if (typeof content === 'string') return wanted === 'thoughts' ? '' : content;
  if (Array.isArray(content)) return content.map(part => textOf(part, wanted)).join('');
  const part = contentSchema.safeParse(content).data;
  if (!part) return '';
  const isThought = part.type !== null && /think|reason/.test(part.type ?? '');
  if (wanted !== 'any' && isThought !== (wanted === 'thoughts')) return '';
  return textOf(part.text ?? part.thinking ?? part.content ?? part.summary, 'any');
}

const contentSchema = z.object({
  type: lenient(z.string()),
  text: anything,
  thinking: anything,
  content: anything,
  summary: anything,
});

/** Arguments are text, or the object that the text would be. */
function callOf(call: unknown): CallPart[] {
  const parsed = callSchema.safeParse(call).data;
  if (!parsed) return [];
  const { name, arguments: argumentText } = parsed.function ?? {};
  const text =
    typeof argumentText === 'string'
      ? argumentText
      : argumentText == null
        ? ''
        : JSON.stringify(argumentText);
  return [{ index: parsed.index ?? null, name: name ?? '', arguments: text }];
}

const callSchema = z.object({
  index: lenient(z.number().int().nonnegative()),
  function: lenient(z.object({ name: lenient(z.string()), arguments: anything })),
});

function usageOf(usage: unknown): Usage | null {
  const parsed = usageSchema.safeParse(usage).data;
  if (parsed?.prompt_tokens == null) return null;
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = parsed;
  const cached = details?.cached_tokens ?? 0;
  // A number larger than the total cannot be part of it.
  return { prompt, completion: completion ?? 0, cachedApart: cached > prompt ? cached : 0 };
}

const count = lenient(z.number().int().nonnegative());
const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: lenient(z.object({ cached_tokens: count })),
});

/** `error` beside or in place of the choices, `{"type": "error", …}` and `{"object": "error", …}`; an array holds one. */
function errorIn(json: unknown): string | null {
  if (Array.isArray(json)) return json.length > 0 ? errorIn(json[0]) : null;
  if (typeof json !== 'object' || json === null) return null;
  const { error, type, object } = json as Record<string, unknown>;
  if (!isBlank(error)) return JSON.stringify({ error });
  return type === 'error' || object === 'error' ? JSON.stringify(json) : null;
}

/** Proxies send an error whose fields are all empty beside a good answer. */
function isBlank(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Object.values(value).every(isBlank);
}
