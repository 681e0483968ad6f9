import { useState } from 'preact/hooks';
import type { RunReport } from '../view-data.ts';
import { count } from './data/format.ts';
import { type Run, recordsOf } from './hooks/use-runs.ts';

/** A run's charts, one per row on a phone, and their contents as text. */
export function Charts({ report: { picture, words } }: { report: RunReport }) {
  return (
    <details class="charts" open>
      <summary>Charts</summary>
      <picture>
        <source media="(max-width: 640px) and (prefers-color-scheme: dark)" srcset={picture.narrow.dark} />
        <source media="(max-width: 640px)" srcset={picture.narrow.light} />
        <source media="(prefers-color-scheme: dark)" srcset={picture.dark} />
        <img src={picture.light} alt={words} />
      </picture>
      <details>
        <summary>In words</summary>
        <pre class="text">{words}</pre>
      </details>
    </details>
  );
}

/** Copies a text to the clipboard; pages opened as files may only use the older API. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [words, setWords] = useState('Copy');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => copyFromField(text),
    );
    setWords(isCopied ? 'Copied' : 'Not allowed');
    setTimeout(() => setWords('Copy'), 2000);
  };
  return (
    <button type="button" class="copy quiet" aria-label={`Copy ${name}`} onClick={copy}>
      {words}
    </button>
  );
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

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
