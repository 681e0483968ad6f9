import { z } from 'zod';
import { parseJson } from '../../../files/untrusted-file.ts';

/** What a server reports about a failure, in the formats of compatible servers. */
export interface ServerWords {
  /** The end of a sentence: one line, shortened. */
  readonly message: string;
  /** `invalid_api_key`, `model_not_found`; empty if missing. */
  readonly code: string;
  /** The parameter that it names; empty if there is none. */
  readonly parameter: string;
}

/** What pydantic finds wrong with a request, in servers written with FastAPI, and in Mistral's. */
const issuesSchema = z
  .array(z.object({ loc: z.array(z.union([z.string(), z.number()])).catch([]), msg: z.string() }))
  .nonempty()
  .transform(issues =>
    issues.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')).join('; '),
  );
/** LiteLLM and Mistral put another object where the message belongs. */
const wordsSchema = z.union([
  z.string(),
  issuesSchema,
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: issuesSchema }).transform(({ detail }) => detail),
]);
const detailsSchema = z
  .object({
    message: wordsSchema,
    code: z.union([z.string(), z.number()]).nullish().catch(null),
    type: z.string().nullish().catch(null),
    param: z.string().nullish().catch(null),
    /** OpenRouter: the words of the provider behind it. */
    metadata: z.object({ raw: z.string() }).nullish().catch(null),
  })
  .transform(({ message, metadata, ...details }) => ({
    ...details,
    message: metadata ? `${message}: ${metadata.raw}` : message,
  }));
const bodySchema = z.union([
  z.object({ error: detailsSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  z.object({ detail: wordsSchema }).transform(({ detail }) => ({ message: detail })),
  detailsSchema,
]);

/** Reads the body of a failed reply: JSON, HTML or text. Gemini's compatible address wraps the object in an array. */
export function serverWords(body: string): ServerWords {
  const parsed = parseJson(body);
  const json: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  const checked = bodySchema.safeParse(json);
  if (!checked.success)
    return { message: shortened(json === undefined ? plain(body) : body), code: '', parameter: '' };
  const { message, code, type, param }: Partial<z.infer<typeof detailsSchema>> & { message: string } =
    checked.data;
  return {
    message: shortened(message),
    code: String(code ?? type ?? ''),
    parameter: param ?? '',
  };
}

/** The status of an error in the middle of a stream, where the HTTP status was already sent. */
export function statusIn(body: string): number | null {
  const { code } = serverWords(body);
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  return STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** By the codes of OpenAI, Anthropic and Gemini. */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/^(rate_limit|insufficient_quota|too_many_requests|resource_exhausted|throttl)/i, 429],
  [/^overloaded/i, 529],
  [/^(authentication|invalid_api_key|unauthorized)/i, 401],
  [/^(permission|billing)/i, 403],
  [/^(not_found|model_not_found)/i, 404],
  [/^(invalid_(request|prompt)|context_length|exceed_context|badrequest)/i, 400],
];

/** A single line without its final full stop. */
export function shortened(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\.)\.+$/, '');
  if (line === '') return 'it gives no reason';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const LONGEST = 200;

/** The title of an HTML page, or its text. */
function plain(body: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  return title ?? body.replaceAll(/<[^<>]*>/g, ' ');
}
