import { printableJson } from '../../core/printable.ts';
import { unifiedDiff } from '../../fix/patch/unified-diff.ts';
import type { FixEvent, FixReport } from '../../fix/report.ts';
import { placesIn } from '../../library/fix-project.ts';
import type { FixCommandOptions } from '../../options/tables/fix-options.ts';

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
