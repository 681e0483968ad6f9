import { join } from 'node:path';
import type { Dataset } from '../../../dataset/load.ts';
import type { Progress } from '../../cli/terminal/line-progress.ts';
import type { ThemeName } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import type { Sandbox, TextModel } from '../../core/ports.ts';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { outNotWritable } from '../../files/errors.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { RAISE_LIMITS } from '../../model/server/errors.ts';
import { drawPage, type PageSize, paintPage } from '../../report/charts/page.ts';
import { picturePage } from '../../report/pages/pictures.ts';
import { sweepPage } from '../../report/pages/runs-page.ts';
import { readFacts } from '../../report/results/fact-reader.ts';
import type { Manifest } from '../../report/results/manifest.ts';
import type { Summary } from '../../report/summary.ts';
import { type SweepRow, sweepCsv, sweepRows } from '../../report/sweep.ts';
import { NEVER_STOP } from '../../run/errors.ts';
import { type RunContext, type RunParts, type RunResult, run } from '../../run/run.ts';
import type { SweepCell, SweepOptions } from './sweep-options.ts';

/** The contents of `sweep.json`. */
export interface SweepResult {
  readonly format: 1;
  readonly model: Manifest['model'];
  readonly dataset: Manifest['dataset'];
  readonly runs: readonly {
    readonly name: string;
    readonly settings: SweepCell['settings'];
    /** Paths of the files written. */
    readonly records: string;
    readonly manifest: string;
    readonly summary: Summary;
  }[];
  readonly rows: readonly SweepRow[];
}

export interface SweepContext extends Omit<RunContext, 'events'> {
  /** Returns the progress display of a run when it starts; `number` is 1-based. */
  display(cell: SweepCell, number: number, count: number): Progress;
}

/**
 * Runs every combination of a sweep into one folder, with a shared model and sandbox. `sweep.json` and
 * `sweep.csv` are written after each run, so that partial results are available. Rejects with the HefixErrors
 * of a run.
 */
export async function sweep(
  options: SweepOptions,
  parts: RunParts,
  context: SweepContext,
): Promise<SweepResult> {
  const { cells, folder } = options;
  await ensureDirectory(folder).catch(error => {
    throw outNotWritable(folder, error);
  });
  const shared = shareParts(parts);
  const done: Done[] = [];
  try {
    for (const [index, cell] of cells.entries()) {
      const display = context.display(cell, index + 1, cells.length);
      try {
        const result = await run(cell.options, shared.parts, { ...context, events: display });
        const { records } = await readFacts(result.records);
        done.push({ cell, result, rows: sweepRows({ ...cell, records }) });
      } finally {
        display.stop();
      }
      await writeFiles(folder, done);
    }
    const result = resultOf(done);
    await writeCharts(folder, result);
    return result;
  } catch (error) {
    if (!(error instanceof HefixError)) throw error;
    if (error.code === 'INTERRUPTED') throw sweepInterrupted(folder, done.length, cells.length);
    throw sweepStopped(error);
  } finally {
    await shared.close();
  }
}

interface Done {
  readonly cell: SweepCell;
  readonly result: RunResult;
  readonly rows: readonly SweepRow[];
}

async function writeFiles(folder: string, done: readonly Done[]): Promise<void> {
  const result = resultOf(done);
  await writeFileAtomic(join(folder, 'sweep.json'), `${JSON.stringify(result, null, 2)}\n`);
  await writeFileAtomic(join(folder, 'sweep.csv'), sweepCsv(result.rows));
}

/** Only after all runs: pictures of partial results would soon be outdated. */
async function writeCharts(folder: string, { model, dataset, rows }: SweepResult): Promise<void> {
  const page = (theme: ThemeName, size?: PageSize) =>
    sweepPage({ model: model.name, dataset: dataset.name, rows }, theme, size);
  const svg = await drawPage(page('light'), 'light');
  await writeFileAtomic(join(folder, 'sweep.svg'), svg);
  await writeFileAtomic(join(folder, 'sweep.png'), await paintPage(svg));
  await writeFileAtomic(join(folder, 'sweep.html'), await picturePage(page));
}

function resultOf(done: readonly Done[]): SweepResult {
  const [first] = done;
  if (first === undefined) throw new Error('A sweep has at least one run.');
  const { model, dataset } = first.result;
  return {
    format: 1,
    model,
    dataset,
    runs: done.map(({ cell: { name, settings }, result: { records, manifest, summary } }) => ({
      name,
      settings,
      records,
      manifest,
      summary,
    })),
    rows: done.flatMap(({ rows }) => rows),
  };
}

function sweepInterrupted(folder: string, done: number, runs: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${done} of ${runs} runs are done, and nothing recorded in ${folder} is lost.`,
    'To resume, run the same command with --resume.',
  );
}

/**
 * An error that ended one run of a sweep: the hint names that run's file, and a sweep is resumed as a whole.
 */
function sweepStopped(error: HefixError): HefixError {
  const hints: Readonly<Record<string, string>> = {
    TOO_MANY_ERRORS: `Fix the cause, then run the same command with --resume: tasks in error run again. ${NEVER_STOP}`,
    BACKEND_LIMITED: `Run the same command again later with --resume. ${RAISE_LIMITS}`,
  };
  const hint = hints[error.code];
  return hint === undefined ? error : new HefixError(error.code, error.message, hint, error);
}

interface SharedParts {
  readonly parts: RunParts;
  /** Closes what the runs left open. */
  close(): Promise<void>;
}

/** Parts for several runs with the same dataset, model and sandbox: each is opened once, by the first run. */
function shareParts(parts: RunParts): SharedParts {
  const opened: Promise<{ close(): Promise<void> }>[] = [];
  const closedAtEnd = async <Part extends { close(): Promise<void> }>(part: Promise<Part>) => {
    opened.push(part);
    return { ...(await part), close: async () => {} };
  };
  let dataset: Promise<Dataset> | undefined;
  const sandboxes = new Map<number, Promise<Sandbox>>();
  let model: Promise<TextModel> | undefined;
  return {
    parts: {
      ...parts,
      loadDataset(options, context) {
        dataset ??= parts.loadDataset(options, context);
        return dataset;
      },
      openSandbox(options, language) {
        const { hashSeed = 0 } = options;
        const sandbox = sandboxes.get(hashSeed) ?? closedAtEnd(parts.openSandbox(options, language));
        sandboxes.set(hashSeed, sandbox);
        return sandbox;
      },
      createModel(options, context) {
        // A script's answers are consumed, so each run starts it again.
        if (options.backend === 'scripted') return parts.createModel(options, context);
        model ??= closedAtEnd(parts.createModel(options, context));
        return model;
      },
    },
    async close() {
      const all = await Promise.allSettled(opened);
      const closed = all.map(async part => part.status === 'fulfilled' && part.value.close());
      // The results are written; a part that cannot be closed must not keep the others open.
      await Promise.allSettled(closed);
    },
  };
}
