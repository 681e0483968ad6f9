import { z } from 'zod';
import { modelFileInvalid } from '../errors.ts';
import type { GgufFile } from './read-gguf.ts';

/** A name that is safe to print. */
export const word = z.string().regex(/^[\w.-]{1,80}$/);

/** The values of a file's metadata whose keys start with a prefix, by the rest of their keys. */
export function metadataBelow({ metadata }: GgufFile, prefix: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

/** The values of `metadataBelow`, checked. Throws MODEL_FILE_INVALID, which names the first that is wrong. */
export function checkedMetadata<Schema extends z.ZodType>(
  { path }: GgufFile,
  prefix: string,
  values: Readonly<Record<string, unknown>>,
  schema: Schema,
): z.infer<Schema> {
  const checked = schema.safeParse(values);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw modelFileInvalid(
    path,
    `${prefix}${issue?.path.join('.')}: ${issue?.message ?? 'unexpected content'}`,
  );
}
