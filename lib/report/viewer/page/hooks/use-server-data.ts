import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Row } from '../../view-data.ts';
import { taskRunsOfRows } from '../data/run-view.ts';
import type { Source } from '../data/source.ts';
import { pairedCounts, type TaskPage, type TaskQuery } from '../data/task-page.ts';
import { filtered, sorted, taskLines } from '../data/tasks.ts';
import type { Run } from './use-runs.ts';

/** The tasks of the runs shown: made here, or by the server if a run is large. Null until the first answer. */
export function useTaskPage(source: Source, shown: readonly Run[], query: Omit<TaskQuery, 'runs'>) {
  const isLarge = shown.some(({ large }) => large !== null);
  const lines = useMemo(() => (isLarge ? [] : taskLines(shown)), [shown, isLarge]);
  const page = useMemo(
    () => (isLarge ? null : pageOf(shown, lines, query)),
    [shown, lines, isLarge, JSON.stringify([query.filter, query.sort])],
  );
  const [served, setServed] = useState<TaskPage | null>(null);
  const runs = shown.map(({ info }) => info.id);
  const asked = JSON.stringify({ ...query, runs });
  // Asked again when the first records are there, and when all are.
  const state = shown.map(({ large, loaded }) => `${(large?.records ?? 0) > 0} ${loaded}`).join();
  useEffect(() => {
    if (!isLarge) return;
    let isStale = false;
    source.tasks(JSON.parse(asked)).then(
      page => {
        if (!isStale) setServed(page);
      },
      () => {},
    );
    return () => {
      isStale = true;
    };
  }, [source, asked, isLarge, state]);
  return isLarge ? served : page;
}

function pageOf(
  shown: readonly Run[],
  lines: ReturnType<typeof taskLines>,
  { filter, sort }: Omit<TaskQuery, 'runs'>,
): TaskPage {
  const visible = sorted(filtered(lines, filter), sort);
  const rows = shown.flatMap(run => run.rows);
  const [first, second] = shown;
  return {
    visible,
    matching: visible.length,
    total: lines.length,
    bugTypes: wordsOf(lines.map(({ bugType }) => bugType)),
    verdicts: wordsOf(rows.map(({ verdict }) => verdict ?? '')),
    paired: first && second ? pairedCounts(taskRunsOfRows(first.rows), taskRunsOfRows(second.rows)) : null,
  };
}

function wordsOf(words: readonly string[]): string[] {
  return [...new Set(words)].filter(Boolean).sort();
}

/** The runs, the large ones with their rows of one task, which the server has. */
export function useTaskRows(source: Source, runs: readonly Run[], task: string): readonly Run[] {
  const [known, setKnown] = useState<{ task: string; rows: ReadonlyMap<string, readonly Row[]> } | null>(
    null,
  );
  const large = runs.filter(run => run.large !== null).map(({ info }) => info.id);
  const loaded = runs.filter(run => run.large !== null && run.loaded).length;
  useEffect(() => {
    let isStale = false;
    const ask = async () => {
      const answers = await Promise.all(large.map(async id => [id, await source.task(id, task)] as const));
      if (!isStale) setKnown({ task, rows: new Map(answers) });
    };
    if (large.length > 0) ask().catch(() => {});
    return () => {
      isStale = true;
    };
  }, [source, task, large.join(), loaded]);
  const rows = known?.task === task ? known.rows : new Map<string, readonly Row[]>();
  return runs.map(run => (run.large === null ? run : { ...run, rows: rows.get(run.info.id) ?? [] }));
}

/** The answer to a request: null while it is pending, an Error if it failed. */
export type Asked<T> = T | Error | null;

/** Sends the request on mount and whenever the key changes; answers for an earlier key are dropped. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [answer, setAnswer] = useState<{ key: string; value: T | Error } | null>(null);
  useEffect(() => {
    let isStale = false;
    ask()
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then(value => {
        if (!isStale) setAnswer({ key, value });
      });
    return () => {
      isStale = true;
    };
  }, [key]);
  return answer?.key === key ? answer.value : null;
}
