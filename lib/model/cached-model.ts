import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Completion, descriptionOf, type GenerateRequest, type TextModel } from '../core/ports.ts';
import { ensureDirectory } from '../files/ensure-directory.ts';
import { cacheNotWritable } from './errors.ts';

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

/** Completions on disk, keyed by the hash of the request. */
interface ReplyStore {
  /** Null if there is no readable entry. */
  read(key: string): Promise<Completion | null>;
  write(key: string, completion: Completion): Promise<void>;
}

const format = 1;
const entrySchema = z.strictObject({
  format: z.literal(format),
  text: z.string(),
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  finish: z.enum(['stop', 'length']),
  drafted: z.number().int().positive().optional(),
  accepted: z.number().int().nonnegative().optional(),
  toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).optional(),
});

/**
 * Opens the store in a folder, with one file per entry, and creates the folder if needed. Several processes
 * may use it at the same time: entries are written atomically. `warn` is called about damaged entries, which
 * count as missing, and about entries that could not be written: a reply that was paid for matters more than
 * its copy. Rejects with a HefixError (`CACHE_NOT_WRITABLE`).
 */
export async function openReplyStore(folder: string, warn: (sentence: string) => void): Promise<ReplyStore> {
  try {
    await ensureDirectory(folder);
    const probe = temporaryName(join(folder, 'probe'));
    await writeFile(probe, '');
    await rm(probe);
  } catch (cause) {
    throw cacheNotWritable(folder, cause);
  }
  // A folder with thousands of files is slow to list.
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    async read(key) {
      const path = pathOf(key);
      const text = await readIfThere(path);
      if (text === null) return null;
      const entry = parseEntry(text);
      if (entry === null)
        warn(`${path} is not a completion that this version of hefix saved; it is requested again.`);
      return entry;
    },
    async write(key, { text, promptTokens, completionTokens, finish, drafted, accepted, toolCalls }) {
      const path = pathOf(key);
      const entry: z.infer<typeof entrySchema> = {
        format,
        text,
        promptTokens,
        completionTokens,
        finish,
        ...(drafted === undefined ? {} : { drafted, accepted }),
        ...(toolCalls ? { toolCalls: toolCalls.map(call => ({ ...call })) } : {}),
      };
      const temporary = temporaryName(path);
      try {
        await ensureDirectory(dirname(path));
        await writeFile(temporary, `${JSON.stringify(entry)}\n`);
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => {});
        warn(cacheNotWritable(folder, cause).message);
      }
    },
  };
}

/** A file name that no other process or request uses. */
function temporaryName(path: string): string {
  return `${path}.${process.pid}.${crypto.randomUUID()}.tmp`;
}

/** Null if there is none; an unreadable file counts as damaged. */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : '';
  }
}

function parseEntry(text: string): Completion | null {
  try {
    const { format: _, ...completion } = entrySchema.parse(JSON.parse(text));
    return completion;
  } catch {
    return null;
  }
}
