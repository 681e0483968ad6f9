import type { RunReport } from '../view-data.ts';

/** A run's charts, one per row on a phone, and their contents as text. */
export function Charts({ report: { picture, problem, words } }: { report: RunReport }) {
  return (
    <details class="charts" open>
      <summary>Charts</summary>
      {picture && (
        <picture>
          <source media="(max-width: 640px) and (prefers-color-scheme: dark)" srcset={picture.narrow.dark} />
          <source media="(max-width: 640px)" srcset={picture.narrow.light} />
          <source media="(prefers-color-scheme: dark)" srcset={picture.dark} />
          <img src={picture.light} alt={words} />
        </picture>
      )}
      {problem !== null && <p class="notice">{problem}</p>}
      <details open={picture === null}>
        <summary>In words</summary>
        <pre class="text">{words}</pre>
      </details>
    </details>
  );
}
