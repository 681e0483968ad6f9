import { join, relative, resolve, sep } from 'node:path';
import { printableJson } from '../core/printable.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import { fix as fixProject } from '../fix/fix.ts';
import type { FixOptions, FixParts } from '../fix/options.ts';
import { unifiedDiff } from '../fix/patch/unified-diff.ts';
import { checkWritable, writeChanges } from '../fix/patch/write-changes.ts';
import { splitPaths } from '../fix/project/find-tests.ts';
import { cannotRank } from '../fix/repair/start-model.ts';
import type { FixEvent, FixReport } from '../fix/report.ts';
import type { FixCommandOptions } from '../options/fix-options.ts';
import type { RunOptions } from '../options/run-options.ts';
import type { Inspect } from '../repair/repair-task.ts';
import { createModel, isUntrainedIn, type ModelContext } from '../run/create-model.ts';
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

export type { FixReport };

export interface FixResult {
  readonly report: FixReport;
  /** As bytes, because lines keep their file's encoding. */
  readonly diff: Buffer;
  /** Absolute paths of the files that were written. */
  readonly written: readonly string[];
}

/** Repairs a project in a copy; writes the changes and the patch if the options ask for it. */
export async function fix(
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
  const report = await fixProject(
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
function placesIn(
  cwd: string,
  { project, changes }: Pick<FixReport, 'project' | 'changes'>,
): (path: string) => string {
  const placed = (path: string): string => relative(cwd, join(project, path)).split(sep).join('/');
  const isElsewhere = changes.some(({ file }) => placed(file.path).startsWith('../'));
  return isElsewhere ? path => path : placed;
}

/** The changes of an interrupted repair, with the best candidate so far. */
export function interruptedDiff(
  event: Extract<FixEvent, { readonly kind: 'interrupted' }>,
  cwd: string,
): string {
  return unifiedDiff(event.changes, placesIn(cwd, event)).toString('utf8');
}

/** One line of JSON: the report, with the diff as text. */
export function fixJson({ changes, ...report }: FixReport, diff: Buffer): string {
  const files = changes.map(({ file }) => file.path);
  return printableJson({ ...report, files, diff: diff.toString('utf8') });
}

/** What to do with the diff; empty if there is none. */
export function howToApply(
  { changes }: FixReport,
  { write, patch, backup }: FixCommandOptions,
  target: string | undefined,
): string {
  if (changes.length === 0) return '';
  const files = changes.map(({ file }) => file.path).join(', ');
  if (write) return `Written to ${files}${backup ? '; what was there is kept as NAME.orig' : ''}.`;
  if (patch !== undefined) return `Apply it with git apply ${patch}.`;
  return `Nothing was written. Apply it with hefix fix ${target ?? '.'} … --write, or hefix fix … | git apply.`;
}
