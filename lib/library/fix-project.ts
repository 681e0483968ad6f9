import { join, relative, resolve, sep } from 'node:path';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import { fix } from '../fix/fix.ts';
import type { FixOptions, FixParts } from '../fix/options.ts';
import { unifiedDiff } from '../fix/patch/unified-diff.ts';
import { checkWritable, writeChanges } from '../fix/patch/write-changes.ts';
import { splitPaths } from '../fix/project/find-tests.ts';
import { cannotRank } from '../fix/repair/start-model.ts';
import type { FixEvent, FixReport } from '../fix/report.ts';
import type { FixCommandOptions } from '../options/tables/fix-options.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { Inspect } from '../repair/repair-task.ts';
import { createModel, isUntrainedIn, type ModelContext } from '../run/model/create-model.ts';
import { openSavedRepair } from './saved-repair.ts';

export interface FixContext extends Pick<ModelContext, 'warn' | 'onPreparing'> {
  /** The model options of a run. */
  readonly modelOptions: RunOptions;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onEvent: (event: FixEvent) => void;
  readonly inspect?: Inspect | undefined;
  /** Asks the user; null for no answer. */
  readonly choose?: FixParts['choose'];
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
  { cwd, env, onEvent, inspect, choose, signal, modelOptions, ...circumstances }: FixContext,
): Promise<FixResult> {
  const { addTest } = options;
  const { time, timeout, memory, requireIsolation, allowNetwork, isolation, python, candidates, seed } =
    options;
  const asksModel = options.agent === 'reflect';
  // Refused before the search, not after it.
  if (options.write) await checkWritable(resolve(cwd, target?.split('::')[0] ?? '.'));
  const fixOptions: FixOptions = {
    ...{ target, cwd, env, python, time, timeout, memory, seed },
    ...{ isolation, requireIsolation, allowNetwork },
    tests: options.tests === undefined ? [] : splitPaths(options.tests),
    packages: splitPaths(options.packages ?? '').map(path => resolve(cwd, path)),
    lastFailures: target === undefined && options.tests === undefined,
    suspectsOnly: options.showSuspects,
    beams: asksModel ? options.beams : 0,
    candidates: asksModel ? candidates : 0,
    iterations: asksModel ? options.iters : 0,
    temperature: options.temperature ?? null,
    questionTime: options.questionTime,
    maxNewTokens: options.maxNewTokens,
  };
  const warn = circumstances.warn ?? (() => {});
  const saved =
    options.saveState === undefined
      ? null
      : openSavedRepair(resolve(cwd, options.saveState), fixOptions, warn);
  const report = await fix(
    fixOptions,
    {
      ...{ onEvent, inspect, snapshot: saved?.snapshot, onSnapshot: saved?.write },
      onWarning: warn,
      choose: addTest === undefined ? choose : async () => addTest - 1,
      now: () => performance.now(),
      async openModel(opening, language) {
        if (options.noRank) return null;
        if (!isUntrainedIn(modelOptions, language))
          return await createModel(modelOptions, { ...circumstances, signal: opening });
        warn(cannotRank(modelOptions.model, language));
        return null;
      },
    },
    signal,
  );
  saved?.remove();
  if (addTest !== undefined && report.outcome === 'repaired' && report.question === null)
    warn('No test was added: no other repair was found that passes and behaves differently.');
  const diff = unifiedDiff(report.changes, placesIn(cwd, report));
  const written: string[] = [];
  if (options.patch !== undefined && report.changes.length > 0) {
    await writeFileAtomic(options.patch, diff);
    written.push(resolve(options.patch));
  }
  if (options.write && report.changes.length > 0)
    written.push(...(await writeChanges(report.project, report.changes, options.backup)));
  return { report, diff, written };
}

/** Paths in the folder where the diff will be applied; in the project itself if a changed file is elsewhere. */
export function placesIn(
  cwd: string,
  { project, changes }: Pick<FixReport, 'project' | 'changes'>,
): (path: string) => string {
  const placed = (path: string): string => relative(cwd, join(project, path)).split(sep).join('/');
  const isElsewhere = changes.some(({ file }) => placed(file.path).startsWith('../'));
  return isElsewhere ? path => path : placed;
}
