import { useEffect, useState } from 'preact/hooks';
import type { RunRecord } from '../../core/record.ts';
import type { Row } from '../view-data.ts';
import type { Source } from './source.ts';

/** Null while it is on its way; a text says why it cannot be shown. */
export function useRecord(source: Source, run: string, row: Row | undefined): RunRecord | string | null {
  const [found, setFound] = useState<{ key: string; value: RunRecord | string } | null>(null);
  const key = `${run} ${row?.line}`;
  useEffect(() => {
    if (row === undefined) return;
    let isStale = false;
    source
      .record(run, row.line)
      .catch((error: Error) => error.message)
      .then(value => {
        if (!isStale) setFound({ key, value });
      });
    return () => {
      isStale = true;
    };
  }, [source, key]);
  return row !== undefined && found?.key === key ? found.value : null;
}
