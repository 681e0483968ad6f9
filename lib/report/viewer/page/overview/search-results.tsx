import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { plural } from '../../../numbers.ts';
import { count } from '../data/format.ts';
import type { RecordHit } from '../data/record-hits.ts';
import { go } from '../data/route.ts';
import type { Source } from '../data/source.ts';
import type { TaskLine } from '../data/tasks.ts';
import type { Run } from '../hooks/use-runs.ts';
import { RunLetter } from './run-cells.tsx';

interface Props {
  readonly source: Source;
  readonly text: string;
  readonly shown: readonly Run[];
  /** Matches in other tasks are left out, so that the filter applies to them as well. */
  readonly visible: readonly TaskLine[];
}

interface FieldProps {
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly searchField: RefObject<HTMLInputElement | null>;
}

export function SearchField({ search, setSearch, searchField }: FieldProps) {
  return (
    <search class="filter">
      <input
        ref={searchField}
        type="search"
        class="wide"
        placeholder="Search prompts, completions, code and verdicts"
        aria-label="Search records"
        aria-keyshortcuts="s"
        value={search}
        onInput={event => setSearch(event.currentTarget.value)}
      />
    </search>
  );
}

interface RunHit extends RecordHit {
  readonly run: string;
}

/** The records of the shown runs that contain a text. */
export function SearchResults({ source, text, shown, visible }: Props) {
  const runs = shown.map(({ info }) => info.id);
  const { hits, state } = useSearch(source, text, runs);
  const tasks = new Set(visible.map(({ id }) => id));
  const matches = hits.filter(({ task, run, line }) => isCurrent(shown, run, line, tasks, task));
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => setLimit(PAGE), [text, runs.join()]);
  const listed = matches.slice(0, limit);
  const total = plural(matches.length, 'record') + (hits.length >= MAX_HITS ? ' or more' : '');
  return (
    <section class="card found" aria-label="Search results">
      <p class="muted" role="status">
        {state instanceof Error ? state.message : `${total} with “${text}”`}
        {listed.length < matches.length && `, the first ${count(listed.length)} shown`}
        {state === 'searching' && ', searching…'}
      </p>
      <ol>
        {listed.map(hit => (
          <li key={`${hit.run} ${hit.line}`}>
            <Hit hit={hit} index={runs.indexOf(hit.run)} isAlone={runs.length === 1} />
          </li>
        ))}
      </ol>
      {listed.length < matches.length && (
        <button type="button" class="more" onClick={() => setLimit(limit + PAGE)}>
          Show {count(Math.min(PAGE, matches.length - listed.length))} more
        </button>
      )}
    </section>
  );
}

function Hit({ hit, index, isAlone }: { hit: RunHit; index: number; isAlone: boolean }) {
  const { run, task, sample, attempt, where, others, before, match, after } = hit;
  return (
    <button type="button" onClick={() => go({ run, task, sample, attempt })}>
      <span class="name">
        {!isAlone && <RunLetter index={index} />}
        {task}
        <small>
          {sample > 0 && `sample ${sample}, `}
          attempt {attempt}, {where}
          {others > 0 && ` and ${plural(others, 'more hit')}`}
        </small>
      </span>
      <code>
        {before}
        <mark>{match}</mark>
        {after}
      </code>
    </button>
  );
}

/** False for a record that the filter leaves out, or that a later line of the file replaces. */
function isCurrent(
  shown: readonly Run[],
  run: string,
  line: number,
  tasks: ReadonlySet<string>,
  task: string,
): boolean {
  const hitRun = shown.find(({ info }) => info.id === run);
  // The server leaves out replaced records, and knows the tasks beyond the page.
  if (hitRun?.large) return true;
  return tasks.has(task) && hitRun?.rows.some(row => row.line === line) === true;
}

interface Search {
  readonly hits: readonly RunHit[];
  readonly state: 'searching' | 'done' | Error;
}

/** Number of matches shown at first, and added with each press of the button. */
const PAGE = 500;
/** Maximum number of matches; people who get more search for a longer text. */
const MAX_HITS = 10_000;

/** Searches one run after another, a part of the file per request. */
function useSearch(source: Source, text: string, runs: readonly string[]): Search {
  const [search, setSearch] = useState<Search>({ hits: [], state: 'searching' });
  useEffect(() => {
    const ended = new AbortController();
    const show = (next: Search) => {
      if (!ended.signal.aborted) setSearch(next);
    };
    show({ hits: [], state: 'searching' });
    // Wait until typing stops.
    const timer = setTimeout(() => searchAll(source, text, runs, show, ended.signal), 250);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [source, text, runs.join()]);
  return search;
}

async function searchAll(
  source: Source,
  text: string,
  runs: readonly string[],
  show: (search: Search) => void,
  signal: AbortSignal,
): Promise<void> {
  const hits: RunHit[] = [];
  try {
    for (const run of runs) {
      let from: number | null = 0;
      while (from !== null && hits.length < MAX_HITS && !signal.aborted) {
        const answer = await source.search(run, text, from);
        hits.push(...answer.hits.map(hit => ({ ...hit, run })));
        from = answer.next;
        show({ hits: [...hits], state: 'searching' });
      }
    }
    show({ hits, state: 'done' });
  } catch (error) {
    show({ hits, state: error instanceof Error ? error : new Error(String(error)) });
  }
}
