import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../files/untrusted-file.ts';
import type { ApiKey } from './key-ring.ts';
import type { Server } from './providers.ts';
import { readText } from './reply/read-reply.ts';

/** What a server reports about itself and a model, queried once before the first request. */
export interface ServerFacts {
  /** Ids in its model list; empty if it has none. */
  readonly models: readonly string[];
  /**
   * `absent`: the server certainly rejects the name; `unlisted`: the list lacks the name, which proves
   * nothing.
   */
  readonly model: 'known' | 'unlisted' | 'absent';
  /** Maximum number of tokens of prompt and answer together; null if unknown. */
  readonly context: number | null;
  /** Set if Ollama's own API is available (https://docs.ollama.com/api). */
  readonly ollama: OllamaFacts | null;
}

export interface OllamaFacts {
  /** The longest context that the model supports; null if unknown. */
  readonly longestContext: number | null;
  /** The model's default context in tokens; null if unknown. */
  readonly defaultContext: number | null;
  readonly canThink: boolean;
}

export interface FactsRequest {
  readonly server: Server;
  readonly model: string;
  readonly key: ApiKey | null;
  readonly dispatcher: Dispatcher;
}

/**
 * Queries the model list, and then what the server's software reports in addition: Ollama's `/api/show` and
 * `/api/ps`, llama.cpp's `/props`, `max_model_len` in vLLM's list. A server that does not answer, or answers
 * in another format, is not an error: the first request will show what is wrong.
 */
export async function askFacts(asked: FactsRequest): Promise<ServerFacts> {
  const { server, model } = asked;
  const list = readList(await getJson(asked, `${server.baseUrl}/models`));
  const ids = list.map(({ id }) => id);
  const facts: ServerFacts = { models: ids, model: 'known', context: null, ollama: null };
  const owners = new Set(list.map(({ owned_by }) => owned_by));
  if (server.isOllama || owners.has('library')) return (await askOllama(asked, ids)) ?? facts;
  // The server answers any name with its only model.
  if (owners.has('llamacpp')) return { ...facts, context: await askLlamaCpp(asked) };
  const listed = list.find(({ id }) => id === model || id === withoutRoute(model));
  if (listed) return { ...facts, context: contextOf(listed) ?? contextOf(parentOf(listed, list)) };
  if (list.length === 0) return facts;
  return { ...facts, model: [...owners].every(isStrict) ? 'absent' : 'unlisted' };
}

/** vLLM and SGLang serve exactly what they list. */
function isStrict(owner: string | null | undefined): boolean {
  return owner === 'vllm' || owner === 'sglang';
}

/** Hugging Face's router accepts `org/model:provider`. */
function withoutRoute(model: string): string {
  return model.replace(/:[\w-]+$/, '');
}

const tokens = z.number().int().positive().nullish().catch(null);
const entrySchema = z.object({
  id: z.string(),
  owned_by: z.string().nullish().catch(null),
  parent: z.string().nullish().catch(null),
  max_model_len: tokens,
  context_length: tokens,
  context_window: tokens,
});
type Entry = z.infer<typeof entrySchema>;
const listSchema = z.union([z.object({ data: z.array(z.unknown()) }), z.array(z.unknown())]);

/** Together returns the list without a wrapper. */
function readList(json: unknown): Entry[] {
  const list = listSchema.safeParse(json);
  if (!list.success) return [];
  const entries = Array.isArray(list.data) ? list.data : list.data.data;
  return entries.flatMap(entry => entrySchema.safeParse(entry).data ?? []);
}

function contextOf(entry: Entry | undefined): number | null {
  return entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? null;
}

/** vLLM reports the context for the base model, not for its adapters. */
function parentOf({ parent }: Entry, list: readonly Entry[]): Entry | undefined {
  return list.find(({ id }) => id === parent);
}

const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: tokens }) });

async function askLlamaCpp(asked: FactsRequest): Promise<number | null> {
  const props = propsSchema.safeParse(await getJson(asked, `${rootOf(asked.server)}/props`));
  return props.data?.default_generation_settings.n_ctx ?? null;
}

const showSchema = z.object({
  /** Lines of the model's Modelfile: `num_ctx    4096`. */
  parameters: z.string().nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  capabilities: z.array(z.string()).nullish(),
});
const psSchema = z.object({
  models: z.array(z.object({ name: z.string(), context_length: tokens })),
});

/** Null if Ollama's own API does not answer. */
async function askOllama(asked: FactsRequest, ids: readonly string[]): Promise<ServerFacts | null> {
  const { server, model } = asked;
  const root = rootOf(server);
  const show = await getReply(asked, `${root}/api/show`, { model });
  if (show?.status === 404 && ids.length > 0 && !ids.includes(model) && !ids.includes(`${model}:latest`)) {
    return { models: ids, model: 'absent', context: null, ollama: null };
  }
  const shown = show?.status === 200 ? showSchema.safeParse(show.json).data : undefined;
  if (!shown?.model_info) return null;
  const longest = Object.entries(shown.model_info).find(([name]) => name.endsWith('.context_length'))?.[1];
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(shown.parameters ?? '')?.[1];
  const ps = psSchema.safeParse(await getJson(asked, `${root}/api/ps`));
  const loaded = ps.data?.models.find(({ name }) => name === model || name === `${model}:latest`);
  const ollama = {
    longestContext: typeof longest === 'number' && longest > 0 ? longest : null,
    defaultContext: loaded?.context_length ?? (set === undefined ? null : Number(set)),
    canThink: shown.capabilities?.includes('thinking') ?? false,
  };
  return { models: ids, model: 'known', context: ollama.defaultContext, ollama };
}

/** The root of a server's own API, next to the OpenAI-compatible one. */
export function rootOf({ baseUrl }: Server): string {
  return baseUrl.replace(/\/v1$/, '');
}

async function getJson(asked: FactsRequest, url: string): Promise<unknown> {
  const reply = await getReply(asked, url);
  return reply?.status === 200 ? reply.json : undefined;
}

/** Null if there is no answer in time. */
async function getReply(
  { key, dispatcher }: FactsRequest,
  url: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<{ readonly status: number; readonly json: unknown } | null> {
  try {
    const reply = await request(url, {
      method: body ? 'POST' : 'GET',
      dispatcher,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        accept: 'application/json',
        'user-agent': 'hefix',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { authorization: `Bearer ${key.value}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: reply.statusCode, json: parseJson(await readText(reply.body, MAX_BYTES)) };
  } catch {
    return null;
  }
}

const PATIENCE_MS = 10_000;
const MAX_BYTES = 8 * 2 ** 20;
