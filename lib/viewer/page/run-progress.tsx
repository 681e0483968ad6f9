import { count } from './data/format.ts';
import { type Run, recordsOf } from './hooks/use-runs.ts';

/** Recorded and planned records of a run in progress; empty for a finished run. */
export function RunProgress({ run }: { run: Run }) {
  const { info, inProgress, large } = run;
  const records = recordsOf(run);
  if (large !== null && !run.loaded) return <span class="live">{count(records)} records read</span>;
  if (!inProgress) return null;
  const { planned } = info;
  if (planned === null || planned < records) return <span class="live">running</span>;
  const words = `${count(records)} of ${count(planned)}`;
  return (
    <span class="progress">
      <span class="live">running</span>
      <progress max={planned} value={records} aria-label={`${words} records`} /> {words}
    </span>
  );
}
