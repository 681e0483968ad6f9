import { z } from 'zod';
import { parseJson } from '../../../files/parse-json.ts';

/** What a server reports about a failure, in the formats of compatible servers. */
export interface ServerWords {
  /** The end of a sentence: one line, shortened. */
  readonly words: string;
  /** `invalid_api_key`, `model_not_found`; empty if missing. */
  readonly code: string;
  /** The parameter that it names; empty if there is none. */
  readonly parameter: string;
}

/** LiteLLM puts another object where the message belongs. */
const wordsSchema = z.union([
  z.string(),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);
const detailsSchema = z.object({
  message: wordsSchema,
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
  param: z.string().nullish(),
});
const bodySchema = z.union([
  z.object({ error: detailsSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail })),
  detailsSchema,
]);

/** Reads the body of a failed reply: JSON, HTML or text. */
export function serverWords(body: string): ServerWords {
  const json = parseJson(body);
  const known = bodySchema.safeParse(json);
  if (!known.success)
    return { words: shortened(json === undefined ? plain(body) : body), code: '', parameter: '' };
  const { message, code, type, param }: z.infer<typeof detailsSchema> = known.data;
  return {
    words: shortened(message),
    code: String(code ?? type ?? ''),
    parameter: param ?? '',
  };
}

/** The status of an error in the middle of a stream, where the HTTP status was already sent. */
export function statusIn(body: string): number | null {
  const status = Number(serverWords(body).code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null;
}

/** A single line without its final full stop. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.+$/, '');
  if (line === '') return 'it gives no reason';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const LONGEST = 200;

/** The title of an HTML page, or its text. */
function plain(body: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  return title ?? body.replaceAll(/<[^>]*>/g, ' ');
}
