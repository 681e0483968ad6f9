import type { ThemeName } from '../../core/choices.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { printable } from '../../core/text.ts';
import type { Page, Tile } from '../charts/page.ts';
import { passCurve } from '../charts/pass-curve.ts';
import { runtimeChart, tokensChart } from '../charts/per-task.ts';
import { bugTypeChart, iterationsChart, placesChart, verdictChart } from '../charts/run-charts.ts';
import type { Table } from '../charts/text-and-tables.ts';
import { type Theme, themes } from '../charts/theme.ts';
import type { Share } from '../numbers.ts';
import { duration, elapsedIn, percent, plural, short, whole } from '../numbers.ts';
import type { RunFacts } from '../results/fact-reader.ts';
import { robustSentences } from '../robust.ts';
import { type Summary, summarise } from '../summary.ts';
import { judgesText } from '../summary-text.ts';
import { firstCandidateName, withinName } from '../task-runs.ts';

/** A run's results as a page of figures and charts. */
export function runPage(results: RunFacts, theme: ThemeName): Page {
  return runPages(results).page(theme);
}

/** A run's summary, and its page in each theme. */
export interface RunPages {
  readonly summary: Summary;
  page(theme: ThemeName): Page;
}

/** Summarises the records once for all themes, and makes the page of each theme once. */
export function runPages(results: RunFacts): RunPages {
  const summary = summaryOf(results);
  const pages = new Map<ThemeName, Page>();
  return {
    summary,
    page(theme) {
      const page = pages.get(theme) ?? pageOf(results, summary, theme);
      pages.set(theme, page);
      return page;
    },
  };
}

function pageOf(results: RunFacts, summary: Summary, theme: ThemeName): Page {
  const { manifest, records } = results;
  const iters = iterationsOf(results);
  return {
    heading: printable(`${manifest.model.name} on ${manifest.dataset.name}`),
    details: details(results, summary, iters),
    tiles: tiles(summary, iters),
    columns: 2,
    charts: summary.runs === 0 ? [] : charts(records, iters, summary, themes[theme]),
    table: nodeTable(summary),
    warnings: [
      ...(results.inProgress ? ['The run is still going on; these are the records that it has by now.'] : []),
      ...errors(summary),
      ...judges(summary),
      ...robustSentences(summary.robust),
      ...summary.warnings,
    ],
  };
}

function summaryOf(results: RunFacts): Summary {
  const { options, sessions } = results.manifest;
  const terms = { timeout: options.timeout, elapsed: elapsedIn(sessions) };
  return summarise(results.records, iterationsOf(results), terms);
}

function iterationsOf({ records, manifest }: RunFacts): number {
  return manifest.options.iters ?? records.reduce((max, { iters }) => Math.max(max, iters), 0);
}

function details(
  { manifest: { options, resolved, sessions, scored } }: RunFacts,
  { runs, tasks, samples }: Summary,
  iters: number,
): string {
  const { agent, feedback, prompt, temperature, schedule, noRank } = options;
  const schedules = schedule === 'constant' || iters === 0 ? '' : `, ${schedule}`;
  const isSearch = agent === 'search';
  // Without a ranking, edits are taken in a fixed order.
  const isDrawn = isSearch || resolved?.beams != null ? !noRank && (isSearch || resolved?.beams !== 0) : true;
  const day = sessions.at(-1)?.started.slice(0, 10) ?? '';
  const settings = [
    prompt === 'agent' ? `agent ${agent}` : `protocol ${prompt}`,
    ...(isSearch ? [noRank ? 'candidates in a fixed order' : 'candidates ranked by the model'] : []),
    ...(agent === 'one-shot' || isSearch ? [] : [plural(iters, 'iteration')]),
    ...(feedback === 'tests' ? [] : [`feedback ${feedback}`]),
    ...(isDrawn ? [`temperature ${temperature}${isSearch ? '' : schedules}`] : []),
  ];
  return [
    ...(scored ? ['samples made elsewhere, only scored'] : settings),
    plural(tasks, 'task'),
    ...(samples > 1 ? [`${plural(runs, 'run')}, up to ${samples} a task`] : []),
    day,
  ].join(' · ');
}

function tiles(summary: Summary, iterations: number): Tile[] {
  const { first_candidate, with_test_feedback: curve, runs, solved, tokens, seconds } = summary;
  const best = curve.length > 1 ? curve.at(-1) : undefined;
  const last = first_candidate?.at_k.at(-1);
  const wide = last && last.k > 1 ? last : undefined;
  const second = best
    ? shareTile(`solved ${withinName(iterations)}`, best)
    : wide
      ? shareTile(firstCandidateName(first_candidate?.chosen_with ?? 'nothing', wide.k), wide)
      : {
          name: 'solved',
          value: `${whole(solved)} of ${whole(runs)}`,
          note: `${summary.errors.runs} not judged`,
        };
  // Tokens and seconds include runs that ended in an error.
  const all = runs + summary.errors.runs;
  const completion = runs === 0 ? '–' : whole(tokens.completion / all);
  return [
    firstTile(summary),
    second,
    {
      name: 'completion tokens a run',
      value: completion,
      note: `in all ${short(tokens.completion)}, and ${short(tokens.prompt)} of prompts`,
    },
    {
      name: 'seconds a run',
      value: runs === 0 ? '–' : (seconds.total / all).toFixed(1),
      note: `in all ${duration(seconds.model)} model, ${duration(seconds.execution)} tests`,
    },
  ];
}

function firstTile({ first_candidate, with_test_feedback: curve, search }: Summary): Tile {
  if (!first_candidate) return { name: 'pass@1', value: '–', note: 'nothing was judged' };
  const { chosen_with } = first_candidate;
  const draft = chosen_with === 'nothing' && curve.length > 1 ? ', draft only' : '';
  return shareTile(`${firstCandidateName(chosen_with)}${search ? ', by search' : draft}`, first_candidate);
}

function shareTile(name: string, { value, low, high }: Share): Tile {
  return { name, value: percent(value), note: `95% interval ${percent(low)} to ${percent(high)}` };
}

function charts(
  records: readonly RecordFacts[],
  iters: number,
  summary: Summary,
  theme: Theme,
): Page['charts'] {
  return [
    passCurve(summary, theme),
    bugTypeChart(summary, theme),
    summary.search ? placesChart(records, theme) : iterationsChart(records, iters, theme),
    verdictChart(summary, theme),
    runtimeChart(records, theme),
    tokensChart(records, theme),
  ];
}

/** A row for each node of the agent. */
function nodeTable({ by_node }: Summary): Table {
  const uses = Object.entries(by_node);
  const hasExamples = uses.some(([, { passed_examples }]) => passed_examples > 0);
  return {
    title: 'What each node did',
    note: 'Attempts by node, how many of them solved the task, and the time and tokens they took.',
    header: [
      'node',
      'attempts',
      'solved',
      'share',
      ...(hasExamples ? ['passed examples'] : []),
      ...['prompt tokens', 'completion tokens', 'model seconds', 'tokens/s'],
    ],
    rows: uses.map(([node, use]) => [
      node,
      whole(use.asked),
      whole(use.solved),
      percent(use.solved / use.asked),
      ...(hasExamples ? [whole(use.passed_examples)] : []),
      whole(use.tokens.prompt),
      whole(use.tokens.completion),
      use.seconds === 0 ? '–' : use.seconds.toFixed(1),
      use.tokens_per_second === null ? '–' : use.tokens_per_second.toFixed(1),
    ]),
  };
}

function judges(summary: Summary): string[] {
  const text = judgesText(summary.judges);
  return text === '' ? [] : [`Of the runs that passed: ${text}.`];
}

function errors({ errors: { runs, by_code } }: Summary): string[] {
  if (runs === 0) return [];
  const codes = Object.entries(by_code).map(([code, count]) => `${code} ${count}`);
  return [
    `${plural(runs, 'run')} ended in an error and ${runs === 1 ? 'is' : 'are'} not counted as failed: ${codes.join(', ')}.`,
  ];
}
