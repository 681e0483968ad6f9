import { count } from './format.ts';
import type { Run } from './use-runs.ts';

/** Recorded and planned records of a run in progress; empty for a finished run. */
export function RunProgress({ run: { info, rows, inProgress } }: { run: Run }) {
  if (!inProgress) return null;
  const { planned } = info;
  if (planned === null || planned < rows.length) return <span class="live">running</span>;
  const words = `${count(rows.length)} of ${count(planned)}`;
  return (
    <span class="progress">
      <span class="live">running</span>
      <progress max={planned} value={rows.length} aria-label={`${words} records`} /> {words}
    </span>
  );
}
