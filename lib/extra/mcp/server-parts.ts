import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Closable } from '../../core/async.ts';
import { unlessAborted } from '../../core/async.ts';
import {
  type Execution,
  isSolved,
  judgeKinds,
  type RequestedJudge,
  requestedJudges,
  type Sandbox,
  type TextModel,
} from '../../core/ports.ts';
import { type Language, languages } from '../../core/task.ts';
import { assertionCountsSchema, isolationLevels, verdictSchema } from '../../core/verdict.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { RunParts } from '../../run/run.ts';
import { pathNotAllowed, pathTooLong, serverClosed } from './errors.ts';

/** PATH_MAX of Linux. */
export const MAX_PATH_BYTES = 4096;
export const MAX_NAME_LENGTH = 200;

/** The sandboxes and the model that all calls share; each is opened by the first call that needs it. */
export interface ServerParts extends Closable {
  /** Rejects with the HefixErrors of opening it, or with the signal's reason; the next call retries. */
  sandbox(language: Language, signal: AbortSignal): Promise<Sandbox>;
  /** Like `sandbox`. */
  model(signal: AbortSignal): Promise<TextModel>;
}

/** @param log receives messages as whole sentences */
export function createServerParts(
  options: RunOptions,
  parts: Pick<RunParts, 'openSandbox' | 'createModel'>,
  log: (sentence: string) => void,
): ServerParts {
  const opened = new Map<string, Promise<Closable>>();
  const closing = new AbortController();

  async function shared<Part extends Closable>(
    name: string,
    open: () => Promise<Part>,
    signal: AbortSignal,
  ): Promise<Part> {
    closing.signal.throwIfAborted();
    const existing = opened.get(name) as Promise<Part> | undefined;
    const part = existing ?? open();
    opened.set(name, part);
    // The next attempt may succeed: a package was installed, a server was started.
    if (!existing) part.catch(() => opened.delete(name));
    return await unlessAborted(part, signal);
  }

  const openSandbox = async (language: Language): Promise<Sandbox> => {
    const sandbox = await parts.openSandbox(options, language);
    if (sandbox.warning && options.isolation === undefined) log(sandbox.warning);
    return sandbox;
  };
  const createModel = () => parts.createModel(options, { warn: log, signal: closing.signal });

  return {
    sandbox: (language, signal) => shared(`sandbox ${language}`, () => openSandbox(language), signal),
    model: signal => shared('model', createModel, signal),
    async close() {
      closing.abort(serverClosed());
      const all = await Promise.allSettled(opened.values());
      const closed = all.map(async part => part.status === 'fulfilled' && part.value.close());
      await Promise.allSettled(closed);
    },
  };
}

/** A path below one of the folders that the server was started with. */
interface AllowedPath {
  /** The folder, with all links resolved. */
  readonly folder: string;
  /** The absolute path, with links resolved as far as it exists. */
  readonly path: string;
}

/**
 * Resolves links first, so that none leads outside of the folders. A relative path starts at the first
 * folder.
 * @throws HefixError (`INPUT_INVALID`) for a path that is too long; (`PATH_NOT_ALLOWED`), whether or not the file exists.
 */
export function allowedPath(path: string, folders: readonly string[]): AllowedPath {
  // Longer ones lead nowhere, and resolving them takes long.
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw pathTooLong();
  const real = realPath(resolve(folders[0] ?? '.', path));
  const folder = folders.map(realPath).find(each => isInside(each, real));
  if (folder === undefined) throw pathNotAllowed(path, folders);
  return { folder, path: real };
}

/** If the path does not exist, resolves the part that does. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/** Parameters shared by several tools. */
export const languageInput = z.enum(languages);
export const codeInput = z.string().min(1);
export const nameInput = z.string().min(1).max(MAX_NAME_LENGTH);
export const judgeInput = z
  .enum(requestedJudges)
  .default('auto')
  .describe(
    'auto: tests that call the function with plain data are judged in two processes, so that a pass cannot be forged, and others in one. proven: a pass in one process is not reported as passed. isolated: one process for any tests in Python and JavaScript.',
  );

export const judgeDescription =
  'How the verdict was reached. proven: a pass cannot be forged; isolated: the code shared a process with the tests and could forge it.';

/** A judged candidate, as tools report it. */
export const judgedSchema = z.object({
  passed: z.boolean(),
  verdict: verdictSchema,
  judge: z.enum(judgeKinds).describe(judgeDescription),
  isolation: z.enum(isolationLevels).describe('How the code was kept from the machine.'),
});

export const executionSchema = judgedSchema.extend({
  stdout: z.string().describe('What the code wrote, shortened.'),
  stderr: z.string(),
  droppedBytes: z.number().int().describe('Bytes of output that were dropped.'),
  exitCode: z.number().int().nullable().describe('Null if the code was still running.'),
  seconds: z.number(),
  counts: assertionCountsSchema
    .optional()
    .describe(
      'How many assertions of the tests hold, each tried on its own, and the first that fail; only for code that failed.',
    ),
});

/** @param requested with `proven`, a pass of the judge `isolated` is none. */
export function judged(
  { verdict, judge = 'proven', isolation }: Execution,
  requested?: RequestedJudge,
): z.infer<typeof judgedSchema> {
  return { passed: isSolved(verdict, judge, requested), verdict, judge, isolation };
}

export function executed(execution: Execution, requested: RequestedJudge): z.infer<typeof executionSchema> {
  const { stdout, stderr, droppedBytes, exitCode, counts } = execution;
  const seconds = Math.round(execution.seconds * 1000) / 1000;
  return {
    ...judged(execution, requested),
    stdout,
    stderr,
    droppedBytes,
    exitCode,
    seconds,
    ...(counts && { counts }),
  };
}
