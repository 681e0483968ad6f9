import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { unlessAborted } from '../core/async.ts';
import {
  type BeamCompletion,
  type Completion,
  descriptionOf,
  type Scores,
  type TextModel,
} from '../core/ports.ts';
import { ensureDirectory } from '../files/ensure-directory.ts';
import { parseJson, readRegularText } from '../files/untrusted-file.ts';
import { removeLeftovers, temporaryName } from '../files/write-file-atomic.ts';
import { cacheNotWritable } from './errors.ts';

/**
 * A model with a reply cache: a request whose reply is saved is not sent again, in this run or a later
 * one, and identical ones at the same time are sent once. Replies from the cache are marked `cached`, and texts are
 * streamed in one chunk.
 */
export function createCachedModel(model: TextModel, store: ReplyStore): TextModel {
  const inProgress = new Map<string, Promise<unknown>>();
  const readOrAsk = async <Kind extends keyof Replies>(
    kind: Kind,
    key: string,
    ask: () => Promise<Replies[Kind]>,
  ): Promise<Replies[Kind]> => {
    const stored = await store.read(kind, key);
    if (stored !== null) return { ...stored, cached: true };
    const reply = await ask();
    await store.write(kind, key, reply);
    return reply;
  };
  const answered = async <Kind extends keyof Replies>(
    kind: Kind,
    request: object,
    ask: () => Promise<Replies[Kind]>,
    signal: AbortSignal | undefined,
  ): Promise<Replies[Kind]> => {
    const key = replyKey(kind, model.fingerprint, request);
    for (let other = inProgress.get(key); other !== undefined; other = inProgress.get(key)) {
      // If it fails, that says nothing about this request, which may have another signal.
      const reply = await unlessAborted(
        other.catch(() => null),
        signal,
      );
      if (reply !== null) return { ...(reply as Replies[Kind]), cached: true };
    }
    signal?.throwIfAborted();
    const answering = readOrAsk(kind, key, ask);
    inProgress.set(key, answering);
    return await answering.finally(() => inProgress.delete(key));
  };
  const { beams, score } = model;
  return {
    ...descriptionOf(model),
    ...(beams && {
      beams: (request, options = {}) =>
        answered('beams', request, () => beams.call(model, request, options), options.signal),
    }),
    ...(score && {
      score: (request, options = {}) =>
        answered('score', request, () => score.call(model, request, options), options.signal),
    }),
    async generate(request, options = {}) {
      const ask = () => model.generate(request, options);
      const completion = await answered('generate', request, ask, options.signal);
      if (completion.cached && completion.text !== '') options.onText?.(completion.text);
      return completion;
    },
    close: () => model.close(),
  };
}

/** The kinds of requests, and their replies. */
interface Replies {
  readonly generate: Completion;
  readonly beams: BeamCompletion;
  readonly score: Scores;
}

/**
 * A hash of the whole request and of the server's address or the model's weights: any part may change the
 * answer.
 */
function replyKey(kind: keyof Replies, fingerprint: string, request: object): string {
  // Completions came first.
  const parts = kind === 'generate' ? [fingerprint, request] : [kind, fingerprint, request];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

/** Independent of key order; undefined values count as absent. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Replies on disk, keyed by the hash of the request. */
interface ReplyStore {
  /** Null if there is no readable entry. */
  read<Kind extends keyof Replies>(kind: Kind, key: string): Promise<Replies[Kind] | null>;
  write<Kind extends keyof Replies>(kind: Kind, key: string, reply: Replies[Kind]): Promise<void>;
}

const format = 1;
const tokens = {
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
};
/** JSON has no infinity. */
const logLikelihood = z
  .number()
  .nullable()
  .transform(value => value ?? Number.NEGATIVE_INFINITY);
const schemas = {
  generate: z.strictObject({
    ...tokens,
    text: z.string(),
    finish: z.enum(['stop', 'length']),
    drafted: z.number().int().positive().optional(),
    accepted: z.number().int().nonnegative().optional(),
    toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).optional(),
  }),
  beams: z.strictObject({
    ...tokens,
    beams: z.array(z.strictObject({ text: z.string(), logLikelihood })),
    seconds: z.literal(0).default(0),
  }),
  score: z.strictObject({
    ...tokens,
    logLikelihoods: z.array(logLikelihood),
    seconds: z.literal(0).default(0),
  }),
};

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
    async read(kind, key) {
      const path = pathOf(key);
      const text = await readIfThere(path);
      if (text === null) return null;
      const entry = parseEntry(kind, text);
      if (entry === null)
        warn(`${path} is not a reply that this version of hefix saved; it is requested again.`);
      return entry;
    },
    async write(_, key, { seconds: __, cached: ___, ...reply }) {
      const path = pathOf(key);
      const entry = { format, ...reply };
      const temporary = temporaryName(path);
      try {
        await ensureDirectory(dirname(path));
        await removeLeftovers(dirname(path));
        await writeFile(temporary, `${JSON.stringify(entry)}\n`);
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => {});
        warn(cacheNotWritable(folder, cause).message);
      }
    },
  };
}

/** Null if there is none; an unreadable file counts as damaged. */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readRegularText(path, MAX_BYTES);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : '';
  }
}

function parseEntry<Kind extends keyof Replies>(kind: Kind, text: string): Replies[Kind] | null {
  const { format: entryFormat, ...entry } = Object(parseJson(text));
  const parsed = entryFormat === format ? schemas[kind].safeParse(entry) : null;
  return parsed?.success ? (parsed.data as Replies[Kind]) : null;
}

/** Of an entry: answers and their tokens. */
const MAX_BYTES = 2 ** 28;
