import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MachineDrawings } from '../../view-data.ts';
import { outcomeOf, outcomeWords } from '../data/format.ts';
import { useKeys } from '../data/keys.ts';
import { go, type RecordRoute } from '../data/route.ts';
import { runNames } from '../data/run-view.ts';
import type { Source } from '../data/source.ts';
import type { Run } from '../hooks/use-runs.ts';
import { useAnswer, useTaskRows } from '../hooks/use-server-data.ts';
import { RecordView } from './record-view.tsx';

interface Props {
  readonly source: Source;
  readonly route: RecordRoute;
  readonly runs: readonly Run[];
  readonly machines: Readonly<Record<string, MachineDrawings>>;
  /** Ids of the tasks in the order of the table. */
  readonly order: readonly string[];
  readonly select: (task: string) => void;
  readonly disabled: boolean;
}

/** Number of runs that a task offers at first, so that its attempts stay in view. */
const OFFERED_AT_FIRST = 6;

/** One task: its path through the machine, and its attempts. */
export function TaskView({ source, route, runs: all, machines, order, select, disabled }: Props) {
  const runs = useTaskRows(source, all, route.task);
  const run = runs.find(({ info }) => info.id === route.run);
  const rows = (run?.rows ?? [])
    .filter(({ task_id }) => task_id === route.task)
    .toSorted((a, b) => a.sample - b.sample);
  const row = rows.find(({ sample }) => sample === route.sample);
  const record = useAnswer(`${route.run} ${row?.line}`, async () =>
    row === undefined ? null : await source.record(route.run, row.line),
  );
  const others = runs.filter(({ rows }) => rows.some(({ task_id }) => task_id === route.task));
  const [isUnfolded, setUnfolded] = useState(false);
  const offered = others.filter(
    ({ info }, index) => isUnfolded || index < OFFERED_AT_FIRST || info.id === route.run,
  );
  const attempts = row?.attempts.length ?? 0;
  const attempt = Math.min(route.attempt, Math.max(0, attempts - 1));
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the frame, since a key may lead back as soon as it is shown.
  useLayoutEffect(() => {
    select(route.task);
    heading.current?.focus();
    scrollTo(0, 0);
  }, [route.task, route.run]);

  const toTask = (step: number) => {
    const task = order[order.indexOf(route.task) + step];
    // Which samples a large run has of another task is known only when that is shown.
    const sampleOf = (of: Run) => (of.large ? 0 : of.rows.find(({ task_id }) => task_id === task)?.sample);
    const shown = [run, ...runs].find(some => some !== undefined && sampleOf(some) !== undefined);
    if (task === undefined || shown === undefined) return;
    const samples = shown.rows.filter(({ task_id }) => task_id === task).map(({ sample }) => sample);
    const sample = samples.length === 0 ? 0 : samples.reduce((min, other) => Math.min(min, other));
    go({ run: shown.info.id, task, sample, attempt: 0 });
  };
  const toAttempt = (to: number) =>
    go({ ...route, attempt: Math.min(Math.max(to, 0), Math.max(0, attempts - 1)) });
  const toSample = (step: number) => {
    const next = rows[rows.findIndex(({ sample }) => sample === route.sample) + step];
    if (next) go({ ...route, sample: next.sample, attempt: 0 });
  };
  const toRun = (step: number) => {
    const next = others[others.findIndex(({ info }) => info.id === route.run) + step];
    if (next) openIn(next);
  };
  const names = runNames(others.map(({ info }) => info));
  const openIn = (next: Run) => {
    const same = next.rows.filter(({ task_id }) => task_id === route.task);
    const sample = same.some(({ sample }) => sample === route.sample) ? route.sample : (same[0]?.sample ?? 0);
    go({ run: next.info.id, task: route.task, sample, attempt: 0 });
  };
  useKeys(key => {
    if (disabled) return false;
    if (key === 'Escape') go(null);
    else if (key === 'ArrowRight' || key === 'l') toAttempt(attempt + 1);
    else if (key === 'ArrowLeft' || key === 'h') toAttempt(attempt - 1);
    else if (key === ']') toSample(1);
    else if (key === '[') toSample(-1);
    else if (key === '}') toRun(1);
    else if (key === '{') toRun(-1);
    else if (key === 'j') toTask(1);
    else if (key === 'k') toTask(-1);
    else return false;
    return true;
  });

  return (
    <main class="task-view">
      <div class="crumbs">
        <button type="button" onClick={() => go(null)} aria-keyshortcuts="Escape">
          ← All tasks
        </button>
        <h1 ref={heading} tabIndex={-1}>
          <span class="task">{route.task}</span>
          {row && <code>{row.entry_point}</code>}
          {row?.bug_type && <span class="tag">{row.bug_type}</span>}
        </h1>
        <span class="grow" />
        <span class="steps">
          <button
            type="button"
            onClick={() => toTask(-1)}
            disabled={order.indexOf(route.task) <= 0}
            title="k"
          >
            Previous
          </button>
          <button
            type="button"
            onClick={() => toTask(1)}
            disabled={order.indexOf(route.task) === order.length - 1}
            title="j"
          >
            Next
          </button>
        </span>
      </div>
      {others.length > 1 && (
        <nav class="pick" aria-label="Runs">
          {offered.map(other => (
            <button
              type="button"
              key={other.info.id}
              aria-current={other.info.id === route.run}
              onClick={() => openIn(other)}
              title={other.info.name}
            >
              <span class="chips">
                {other.rows
                  .filter(({ task_id }) => task_id === route.task)
                  .toSorted((a, b) => a.sample - b.sample)
                  .map(({ sample, passed }) => (
                    <i key={sample} class={`dot ${outcomeOf(passed)}`} />
                  ))}
              </span>
              {names.get(other.info.id)}
            </button>
          ))}
          {offered.length < others.length && (
            <button type="button" class="quiet" onClick={() => setUnfolded(true)}>
              Show all {others.length} runs
            </button>
          )}
        </nav>
      )}
      {rows.length > 1 && (
        <nav class="pick samples" aria-label="Samples">
          <span class="muted">Sample</span>
          {rows.map(other => (
            <button
              type="button"
              key={other.sample}
              aria-current={other.sample === route.sample}
              title={outcomeWords(other)}
              onClick={() => go({ ...route, sample: other.sample, attempt: 0 })}
            >
              <i class={`dot ${outcomeOf(other.passed)}`} />
              {other.sample}
            </button>
          ))}
        </nav>
      )}
      {row === undefined && <p class="empty">This run has not recorded this task yet.</p>}
      {record instanceof Error && (
        <p class="notice" role="alert">
          {record.message}
        </p>
      )}
      {row !== undefined && record === null && <p class="empty">Loading…</p>}
      {record !== null && !(record instanceof Error) && (
        <RecordView
          {...{ source, record, attempt, toAttempt }}
          run={route.run}
          machine={machines[run?.info.agent ?? '']}
        />
      )}
    </main>
  );
}
