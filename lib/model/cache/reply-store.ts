import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { cacheNotWritable } from '../../core/errors.ts';
import type { Completion } from '../../core/ports.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';

/** Completions on disk, by the hash of what was asked. */
export interface ReplyStore {
  /** Null if there is none that can be read. */
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
 * Opens the store in a folder, one file an entry, and makes the folder if it is not there. Several processes
 * may use it at once: an entry appears whole or not at all.
 * `warn` is told of entries that are damaged, which count as missing, and of one that could not be written:
 * an answer that was paid for is worth more than its copy.
 * Rejects with a HefixError (`CACHE_NOT_WRITABLE`).
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
  // Thousands of files in one folder are slow to list.
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    async read(key) {
      const path = pathOf(key);
      const text = await readIfThere(path);
      if (text === null) return null;
      const entry = parseEntry(text);
      if (entry === null) warn(`${path} is no reply that this version of hefix kept: it is asked for again.`);
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

/** One that no other process, and no other request of this one, takes. */
function temporaryName(path: string): string {
  return `${path}.${process.pid}.${crypto.randomUUID()}.tmp`;
}

/** Null if there is none; what cannot be read is as good as damaged. */
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
