import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../../view-data.ts';
import type { Source } from '../data/source.ts';
import type { Run } from './use-runs.ts';

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
      const found = await Promise.all(large.map(async id => [id, await source.task(id, task)] as const));
      if (!isStale) setKnown({ task, rows: new Map(found) });
    };
    if (large.length > 0) ask().catch(() => {});
    return () => {
      isStale = true;
    };
  }, [source, task, large.join(), loaded]);
  const rows = known?.task === task ? known.rows : new Map<string, readonly Row[]>();
  return runs.map(run => (run.large === null ? run : { ...run, rows: rows.get(run.info.id) ?? [] }));
}
