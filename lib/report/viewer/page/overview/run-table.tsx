import type { Share } from '../../../numbers.ts';
import { percent, plural } from '../../../numbers.ts';
import { count, dateTime, seconds } from '../data/format.ts';
import { go } from '../data/route.ts';
import { differingSettings, foldedRuns, type RunView, runNames, sharesOf, viewed } from '../data/run-view.ts';
import type { Run } from '../hooks/use-runs.ts';
import { RunProgress } from '../parts.tsx';
import { RunLetter, RunTools } from './run-cells.tsx';

interface Props {
  readonly runs: readonly Run[];
  readonly shown: readonly Run[];
  readonly toggle: (run: string) => void;
  readonly runView: RunView;
  readonly setRunView: (view: RunView) => void;
}

/** The runs side by side: their settings, their differences and their results. */
export function RunTable({ runs, shown, toggle, runView, setRunView }: Props) {
  const { isUnfolded } = runView;
  const matching = viewed(runs, runView);
  const listed = isUnfolded ? matching : foldedRuns(matching, shown);
  const differing = shownSettings(runs);
  const names = runs.length > 1 ? runNames(runs.map(({ info }) => info)) : null;
  return (
    <section class="card runs">
      {runs.length > 4 && <RunTools {...{ runs, matching, runView, setRunView }} />}
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">pass@1</th>
            <th scope="col">Solved</th>
            <th scope="col" class="number">
              Tasks
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map(run => {
            const index = shown.findIndex(({ info }) => info.id === run.info.id);
            return (
              <RunLine
                key={run.info.id}
                {...{ run, index, differing, toggle, many: runs.length > 1 }}
                name={names?.get(run.info.id) ?? null}
              />
            );
          })}
        </tbody>
      </table>
      {(listed.length < matching.length || isUnfolded) && (
        <button
          type="button"
          class="more"
          onClick={() => setRunView({ ...runView, isUnfolded: !isUnfolded })}
        >
          {isUnfolded ? 'Show fewer runs' : `Show all ${matching.length} runs`}
        </button>
      )}
    </section>
  );
}

interface LineProps {
  readonly run: Run;
  /** Index among the runs shown; -1 if it is not shown. */
  readonly index: number;
  readonly differing: readonly string[];
  readonly toggle: (run: string) => void;
  readonly many: boolean;
  /** What distinguishes it from the other runs; null if there are none. */
  readonly name: string | null;
}

function RunLine({ run, index, differing, toggle, many, name }: LineProps) {
  const { info, rows, problem, large } = run;
  const isRead = large === null || large.totals !== null;
  const subject = info.model === '' ? info.name : `${info.model} on ${info.dataset}`;
  const { first, solved } = sharesOf(run);
  const { errors, samples, tasks, tokens, seconds: time } = large?.totals ?? totalsOf(rows);
  const settings = differing.flatMap(name => (info.settings[name] ? [`${name} ${info.settings[name]}`] : []));
  return (
    <tr class={index === -1 ? 'off' : ''}>
      <th scope="row">
        <div class="run">
          {many && (
            <input
              type="checkbox"
              aria-label={`Show ${info.name}`}
              checked={index !== -1}
              disabled={problem !== null}
              onChange={() => toggle(info.id)}
            />
          )}
          {many && index !== -1 && <RunLetter index={index} />}
          <span class="about">
            <span class="name">
              <button type="button" class="link" onClick={() => go({ run: info.id })} title="Open the run">
                {name ?? subject}
              </button>
              <RunProgress run={run} />
            </span>
            <span class="details">
              {[
                ...(name === null ? settings : [subject]),
                info.started === null ? '' : dateTime(info.started),
                info.name,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {problem !== null && <span class="problem">{problem}</span>}
          </span>
        </div>
      </th>
      <td data-label="pass@1">
        <ShareBar share={first} />
      </td>
      <td data-label="Solved">
        <ShareBar share={solved} />
      </td>
      <td class="number" data-label="Tasks">
        {isRead ? count(tasks) : '–'}
        {samples > 1 && <small> × {samples}</small>}
        {errors > 0 && <small class="problem"> {plural(errors, 'error')}</small>}
      </td>
      <td class="number" data-label="Tokens">
        {isRead ? count(tokens) : '–'}
      </td>
      <td class="number" data-label="Time">
        {isRead ? seconds(time) : '–'}
      </td>
    </tr>
  );
}

function ShareBar({ share }: { share: Share | null }) {
  if (share === null) return <span class="muted">–</span>;
  const { value, low, high } = share;
  return (
    <span class="share" title={`95% interval: ${percent(low)} to ${percent(high)}`}>
      <span class="figure">{percent(value)}</span>
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="ground" width="100" height="8" rx="2" />
        <rect class="value" width={value * 100} height="8" rx="2" />
        <rect class="interval" x={low * 100} y="3" width={(high - low) * 100} height="2" />
      </svg>
    </span>
  );
}

function totalsOf(rows: Run['rows']) {
  return {
    errors: rows.filter(({ passed }) => passed === null).length,
    samples: rows.reduce((max, { sample }) => Math.max(max, sample + 1), 0),
    tasks: new Set(rows.map(({ task_id }) => task_id)).size,
    tokens: rows.reduce((sum, row) => sum + row.tokens.prompt + row.tokens.completion, 0),
    seconds: rows.reduce((sum, { runtime_sec }) => sum + runtime_sec, 0),
  };
}

/** For a single run, its main settings; for several, the agent and what distinguishes them. */
function shownSettings(runs: readonly Run[]): string[] {
  const differing = differingSettings(runs.map(({ info }) => info));
  return [
    ...new Set(['agent', ...(differing.length > 0 ? differing : ['iters', 'feedback', 'temperature'])]),
  ];
}
