import { createInterface } from 'node:readline/promises';
import { takeResume } from '../options/tables/output-options.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { Io } from './command.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * The options without `--yes`; for `--resume` without `--out`, with the last unfinished run of the same options as
 * `--out`. `parse` validates options, and `scored` is the file of samples of `hefix score`.
 * @throws HefixError (`RESUME_NOTHING`, `RESUME_UNCONFIRMED`)
 */
export async function withLastRun(
  given: Given,
  { signal }: Pick<Io, 'signal'>,
  parse: (given: Given) => RunOptions,
  scored?: string,
): Promise<Given> {
  const { yes, rest } = takeResume(given);
  if (!rest.resume || rest.out !== undefined) return rest;
  const { resumeLast } = await import('./resume-last.ts');
  return await resumeLast(rest, { parse, scored, yes, confirm: question => confirm(question, signal) });
}

/** Asks a question with yes as the default; false if nobody sits at a terminal. */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(?:y|yes|)$/i.test((await lines.question(`${question} [Y/n] `, { signal })).trim());
  } finally {
    lines.close();
  }
}
