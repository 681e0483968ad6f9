import { useState } from 'preact/hooks';
import type { RunDetails, RunOption, RunReport } from '../view-data.ts';
import { dateTime } from './data/format.ts';
import { useKeys } from './data/keys.ts';
import { go } from './data/route.ts';
import type { Source } from './data/source.ts';
import { type Run, recordsOf } from './hooks/use-runs.ts';
import { type Asked, useAnswer } from './hooks/use-server-data.ts';
import { Charts, CopyButton, RunProgress } from './parts.tsx';

interface Props {
  readonly source: Source;
  readonly run: Run;
  readonly disabled: boolean;
}

/** One run: its warnings, charts, options and manifest, and a download of its records. */
export function RunPage({ source, run, disabled }: Props) {
  const { info, inProgress } = run;
  const hasRecords = recordsOf(run) > 0;
  const details = useAnswer(info.id, () => source.details(info.id));
  // The charts of a run in progress are redrawn when it ends.
  const report = useAnswer(`${info.id} ${inProgress}`, () => source.report(info.id));
  useKeys(key => {
    if (disabled || key !== 'Escape') return false;
    go(null);
    return true;
  });
  return (
    <main>
      <div class="crumbs">
        <button type="button" onClick={() => go(null)} aria-keyshortcuts="Escape">
          ← All tasks
        </button>
        <h1>
          {info.model === '' ? info.name : `${info.model} on ${info.dataset}`}
          <RunProgress run={run} />
        </h1>
        <span class="grow" />
        {hasRecords && <Download source={source} run={run} />}
      </div>
      <p class="muted subtitle">
        {[info.started === null ? '' : dateTime(info.started), info.name].filter(Boolean).join(' · ')}
      </p>
      {hasRecords && <Report report={report} />}
      {details instanceof Error && <p class="notice">{details.message}</p>}
      {details !== null && !(details instanceof Error) && <Details details={details} />}
    </main>
  );
}

function Report({ report }: { report: Asked<RunReport> }) {
  if (report === null) return <p class="empty">Drawing the charts…</p>;
  if (report instanceof Error) return <p class="notice">{report.message}</p>;
  return (
    <>
      {report.warnings.length > 0 && (
        <section class="notice" aria-label="Warnings">
          {report.warnings.map(warning => (
            <p key={warning}>{warning}</p>
          ))}
        </section>
      )}
      <Charts report={report} />
    </>
  );
}

function Details({ details: { options, resolved, manifest } }: { details: RunDetails }) {
  const used = Object.entries(resolved).map(([name, value]) => ({ name, value }));
  return (
    <>
      <section class="card" aria-label="Options">
        <h2>
          Options <small>that decide the results</small>
        </h2>
        <Options options={options.filter(({ decidesResults }) => decidesResults)} />
        {used.length > 0 && (
          <>
            <h2>
              Used <small>as resolved for this model</small>
            </h2>
            <Options options={used} />
          </>
        )}
        <details class="others">
          <summary>Other options</summary>
          <Options options={options.filter(({ decidesResults }) => !decidesResults)} />
        </details>
      </section>
      <details class="card raw">
        <summary>
          Manifest <CopyButton text={manifest} name="manifest" />
        </summary>
        <pre class="text">{manifest}</pre>
      </details>
    </>
  );
}

function Options({ options }: { options: readonly Pick<RunOption, 'name' | 'value'>[] }) {
  return (
    <dl class="options">
      {options.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === '' ? <span class="muted">not given</span> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Builds the file when the button is pressed. */
function Download({ source, run: { info } }: { source: Source; run: Run }) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const link = document.createElement('a');
    link.href = await source.records(info.id);
    link.download = info.name.split(/[/\\]/).at(-1) ?? info.name;
    link.click();
    setBusy(false);
  };
  return (
    <button type="button" onClick={download} disabled={isBusy}>
      Download records
    </button>
  );
}
