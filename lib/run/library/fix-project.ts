import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { stateNotWritable } from '../../files/errors.ts';
import { hefixVersion } from '../../files/package.ts';
import { realPath } from '../../files/paths.ts';
import { MAX_STATE_BYTES, parseJson, readNamed, readUntrusted } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { fix } from '../../fix/fix.ts';
import { notTrainedOn } from '../../fix/model/start-model.ts';
import type { FixOptions, FixParts, ProjectSnapshot } from '../../fix/options.ts';
import { unifiedDiff } from '../../fix/patch/unified-diff.ts';
import { projectRootOf } from '../../fix/project/find-project.ts';
import { splitPaths } from '../../fix/project/find-tests.ts';
import { listProject, maxProjectBytes } from '../../fix/project/snapshot.ts';
import { type FixEvent, type FixReport, isWritten, placesIn } from '../../fix/report.ts';
import type { FixCommandOptions } from '../../options/tables/fix-options.ts';
import { pricesOf } from '../../options/tables/model-options.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { Inspect } from '../../repair/repair-task.ts';
import { createModel, isUntrainedIn, type ModelContext, writesCode } from '../model/create-model.ts';

export interface FixContext extends Pick<ModelContext, 'warn' | 'onPreparing'> {
  /** The model options of a run. */
  readonly modelOptions: RunOptions;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onEvent: (event: FixEvent) => void;
  readonly inspect?: Inspect | undefined;
  /** Asks the user; null for no answer. */
  readonly choose?: FixParts['choose'];
  /** Receives why a repair cannot be written into its files; `fixProject` rejects with it if omitted. */
  readonly onWriteError?: (error: unknown) => readonly [];
  readonly signal: AbortSignal;
}

export interface FixResult {
  readonly report: FixReport;
  /** As bytes, because lines keep their file's encoding. */
  readonly diff: Buffer;
  /** Absolute paths of the files that were written. */
  readonly written: readonly string[];
}

/** Repairs a project in a copy; writes the changes and the patch if the options ask for it. */
export async function fixProject(
  target: string | undefined,
  options: FixCommandOptions,
  context: FixContext,
): Promise<FixResult> {
  const { cwd, env, onEvent, inspect, choose, signal, modelOptions, ...circumstances } = context;
  const { onWriteError = fail } = context;
  const { addTest } = options;
  const { timeout, memory, requireIsolation, allowNetwork, isolation, python, seed } = options;
  const asksModel = options.agent !== 'search';
  const converses = asksModel && !options.noRank && (await writesCode(modelOptions));
  const time = options.time ?? (converses ? CONVERSATION_SECONDS : SEARCH_SECONDS);
  // Refused before the search, not after it.
  if (options.write)
    await (await import('../../fix/patch/write-changes.ts')).checkWritable(
      resolve(cwd, target?.split('::')[0] ?? '.'),
    );
  if (options.patch !== undefined)
    await (await import('../../fix/patch/write-changes.ts')).checkPatch(options.patch);
  if (converses && options.backend === 'openai')
    (await import('../model/server-backend.ts')).checkServerKeys(modelOptions);
  const fixOptions: FixOptions = {
    ...{ target, cwd, env, python, time, timeout, memory, seed },
    ...{ isolation, requireIsolation, allowNetwork },
    tests: options.tests === undefined ? [] : splitPaths(options.tests),
    variables: options.env,
    packages: splitPaths(options.packages ?? '').map(path => resolve(cwd, path)),
    lastFailures: target === undefined && options.tests === undefined,
    suspectsOnly: options.showSuspects,
    beams: asksModel ? options.beams : 0,
    iterations: asksModel ? (options.iters ?? 5) : 0,
    temperature: options.temperature ?? null,
    questionTime: options.questionTime,
    maxNewTokens: options.maxNewTokens ?? 512,
    converses,
    usesTools: options.agent === 'tools',
    maxRequests: options.maxRequests,
    maxTokens: options.maxTokens,
    context: options.context,
    answerTokens: options.maxNewTokens,
    prices: pricesOf(modelOptions),
  };
  const warn = circumstances.warn ?? (() => {});
  const saved =
    options.saveState === undefined
      ? null
      : openSavedRepair(resolve(cwd, options.saveState), fixOptions, modelChoice(options), warn);
  const report = await fix(
    fixOptions,
    {
      ...{ onEvent, inspect, snapshot: saved?.snapshot, onSnapshot: saved?.write },
      onWarning: warn,
      choose: addTest === undefined ? choose : async () => addTest - 1,
      now: () => performance.now(),
      async openModel(opening, language, untimed) {
        if (options.noRank) return null;
        if (isUntrainedIn(modelOptions, language)) {
          warn(notTrainedOn(modelOptions.model, language));
          return null;
        }
        const created = createModel(modelOptions, { ...circumstances, signal: opening });
        // It may be fetched, and its graph built, which takes minutes.
        const model = await (converses ? untimed(created) : created);
        if (converses && model.answer === 'edit')
          warn(
            `${model.name} answers with edits of single functions: run hefix fix again to search with it.`,
          );
        return model;
      },
    },
    signal,
  );
  saved?.remove();
  if (addTest !== undefined && isPassing(report) && report.question === null)
    warn('No test was added: no other repair was found that passes and behaves differently.');
  const diff = unifiedDiff(report.changes, placesIn(cwd, report));
  const written: string[] = [];
  if (options.patch !== undefined && isWritten(report, options.write || true) && report.changes.length > 0) {
    await writeFileAtomic(options.patch, diff);
    written.push(resolve(options.patch));
  }
  if (isWritten(report, options.write) && report.changes.length > 0) {
    const { writeChanges } = await import('../../fix/patch/write-changes.ts');
    written.push(...(await writeChanges(report.project, report.changes, options.backup).catch(onWriteError)));
  }
  return { report, diff, written };
}

/** Time limits unless one is given: answers of a model that writes take longer than candidates. */
const SEARCH_SECONDS = 60;
const CONVERSATION_SECONDS = 300;

function isPassing({ outcome }: FixReport): boolean {
  return outcome === 'repaired' || outcome === 'unsure';
}

/** The file of `--save-state`, with the state of an interrupted repair. */
interface SavedRepair {
  /** The state to go on from; undefined if there is none. */
  readonly snapshot: ProjectSnapshot | undefined;
  /** Writes a state synchronously. @throws HefixError (`STATE_NOT_WRITABLE`) */
  write(snapshot: ProjectSnapshot): void;
  remove(): void;
}

/** Another one for each change of what the machine keeps: a state without a part of it cannot be resumed. */
const FORMAT = 10;

const fileSchema = z.object({
  format: z.literal(FORMAT),
  identity: z.string(),
  snapshot: z.looseObject({ status: z.literal('active') }),
});

/**
 * Opens the file. A state is resumed only by the same version with the same options, except for the time limit, on the
 * same files of the project.
 * @throws HefixError `TARGET_NOT_FOUND`, `TARGET_OUTSIDE`, `TARGET_UNSUPPORTED`, `PROJECT_TOO_LARGE`
 */
function openSavedRepair(
  path: string,
  options: FixOptions,
  model: unknown,
  warn: (sentence: string) => void,
): SavedRepair {
  const identity = identityOf(path, options, model);
  const text = readNamed(path, MAX_STATE_BYTES)?.toString('utf8') ?? '';
  const parsed = existsSync(path) ? fileSchema.safeParse(parseJson(text)) : null;
  const isOwn = parsed?.data?.identity === identity;
  if (parsed && !isOwn)
    warn(`Ignoring the state in ${path}: it is not of this project with these options and this version.`);
  return {
    snapshot: isOwn ? (parsed.data?.snapshot as unknown as ProjectSnapshot) : undefined,
    write(snapshot) {
      try {
        // A link in its place would be followed.
        const temporary = `${path}.tmp`;
        rmSync(temporary, { force: true });
        writeFileSync(temporary, JSON.stringify({ format: FORMAT, identity, snapshot }), { flag: 'wx' });
        renameSync(temporary, path);
      } catch (cause) {
        throw stateNotWritable(path, cause);
      }
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** The options that decide which model is asked. */
function modelChoice(options: FixCommandOptions): unknown {
  const { agent, noRank, model, backend, dtype, device, provider, baseUrl, omit } = options;
  return noRank ? { agent } : { agent, model, backend, dtype, device, provider, baseUrl, omit };
}

/**
 * A hash of hefix's version, the options without the time limit, the model, the virtual environment, and all files that
 * are copied, except for the state itself.
 */
function identityOf(path: string, { env, time: _, ...options }: FixOptions, model: unknown): string {
  const { root, only } = projectRootOf(options);
  const { VIRTUAL_ENV: environment } = env;
  const decisive = [hefixVersion(), options, model, environment];
  const hash = createHash('sha256').update(JSON.stringify(decisive));
  const { files, links } = listProject(root, only);
  // The path may lead into the project through a link.
  const state = join(realPath(dirname(path)), basename(path));
  const place = relative(realPath(root), state).split(sep).join('/');
  const stateFiles = [place, `${place}.tmp`];
  for (const file of files.filter(name => !stateFiles.includes(name)))
    hash.update(`\0${file}\0`).update(readUntrusted(root, file, maxProjectBytes) ?? '');
  for (const link of links) hash.update(`\0${link.path}\0`).update(link.target);
  return hash.digest('hex');
}

function fail(error: unknown): never {
  throw error;
}
