import { resolve } from 'node:path';
import { printableJson } from '../../core/text.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { changeIsUnsure, nothingToApply } from '../../fix/errors.ts';
import { keepLastChange, readLastChange } from '../../fix/patch/last-change.ts';
import { unifiedDiff } from '../../fix/patch/unified-diff.ts';
import { checkPatch, writeChanges } from '../../fix/patch/write-changes.ts';
import { placesIn } from '../../fix/report.ts';
import type { FixCommandOptions } from '../../options/tables/fix-options.ts';
import type { Io } from '../command.ts';
import { writtenTo } from '../terminal/fix-text.ts';

/**
 * Writes the change that `hefix fix` showed last in this folder, or its diff with `--patch`, without another search.
 * @throws HefixError `NOTHING_TO_APPLY`, `CHANGE_UNSURE`, `OUT_NOT_WRITABLE`, and those of `writeChanges`
 */
export async function applyLast(
  target: string | undefined,
  { apply, patch, backup, json, quiet }: FixCommandOptions,
  io: Io,
): Promise<void> {
  const cwd = process.cwd();
  const last = await readLastChange(cwd, process.env);
  if (last === null || (target !== undefined && target !== last.target))
    throw nothingToApply(cwd, target, last?.target);
  if (last.isUnsure && apply !== 'unsure') throw changeIsUnsure();
  const diff = unifiedDiff(last.changes, placesIn(cwd, last));
  const files = last.changes.map(({ file }) => file.path);
  if (patch !== undefined) {
    await checkPatch(patch);
    await writeFileAtomic(resolve(patch), diff);
  } else {
    await writeChanges(last.project, last.changes, backup);
    await keepLastChange(cwd, process.env, null);
  }
  if (json) io.print(printableJson({ project: last.project, files, diff: diff.toString('utf8') }));
  if (quiet) return;
  io.terminal.write(
    `${patch === undefined ? writtenTo(files, backup) : `Apply it with git apply ${patch}.`}\n`,
  );
}
