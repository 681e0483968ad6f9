import { median, roundedSeconds, sumOf } from '../core/numbers.ts';
import type { AttemptFacts, RecordFacts } from '../core/record-facts.ts';

/** Statistics of one node of an agent over all runs. */
export interface NodeUse {
  /** Number of attempts; for the agent `search`, of final candidates. */
  readonly asked: number;
  /**
   * How many of these solved the task according to the hidden tests; for a diagnosis, how many of the
   * following attempts did.
   */
  readonly solved: number;
  /** How many passed the docstring's examples, if those were the feedback; otherwise 0. */
  readonly passed_examples: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Model time; 0 if the model was not asked. */
  readonly seconds: number;
  /** Completion tokens per second; null if it took no time. */
  readonly tokens_per_second: number | null;
}

/** By node, in order of first use. */
export function useByNode(records: readonly RecordFacts[]): Readonly<{ [node: string]: NodeUse }> {
  const totals = new Map<string, Total>();
  const add = (node: string, { tokens, seconds }: Spent, solved: boolean, passedExamples: boolean) => {
    const total = totals.get(node) ?? emptyTotal();
    totals.set(node, total);
    total.asked++;
    total.solved += Number(solved);
    total.passedExamples += Number(passedExamples);
    total.prompt += tokens.prompt;
    total.completion += tokens.completion;
    total.seconds += seconds;
  };
  for (const record of records) {
    const { attempts, feedback } = record;
    const solving = solvingAttempt(record, attempts);
    for (const [index, attempt] of attempts.entries()) {
      const { node, tokens, diagnosis, verdict } = attempt;
      const passedExamples = feedback === 'examples' && verdict?.kind === 'passed';
      const seconds = isFromModel(attempt) ? attempt.seconds.proposal : 0;
      add(node, { tokens, seconds }, index === solving, passedExamples);
      if (diagnosis) add('reflect', diagnosis, index + 1 === solving, false);
    }
  }
  return Object.fromEntries([...totals].map(([node, total]) => [node, useOf(total)]));
}

type Spent = Pick<NodeUse, 'tokens' | 'seconds'>;

/** Whether a model was asked for an attempt. Edits that were enumerated and not ranked have no prompt. */
export function isFromModel({
  node,
  prompt,
  tokens,
}: Pick<AttemptFacts, 'node' | 'prompt' | 'tokens'>): boolean {
  return node !== 'given' && (prompt.length > 0 || tokens.prompt + tokens.completion > 0);
}

/** Index of the attempt that passed the hidden tests; −1 if none did. */
function solvingAttempt({ passed, feedback, fixed }: RecordFacts, attempts: readonly AttemptFacts[]): number {
  if (feedback === 'tests') return attempts.findIndex(({ verdict }) => verdict?.kind === 'passed');
  return passed ? attempts.findLastIndex(({ candidate }) => candidate === fixed) : -1;
}

interface Total {
  asked: number;
  solved: number;
  passedExamples: number;
  prompt: number;
  completion: number;
  seconds: number;
}

function emptyTotal(): Total {
  return { asked: 0, solved: 0, passedExamples: 0, prompt: 0, completion: 0, seconds: 0 };
}

function useOf({ asked, solved, passedExamples, prompt, completion, seconds }: Total): NodeUse {
  return {
    asked,
    solved,
    passed_examples: passedExamples,
    tokens: { prompt, completion },
    seconds: roundedSeconds(seconds),
    tokens_per_second: seconds === 0 ? null : Math.round((completion / seconds) * 10) / 10,
  };
}

/** Statistics of the agent `search` over all runs. */
export interface SearchUse {
  readonly runs: number;
  /** Runs whose candidates were ranked by a model. */
  readonly ranked: number;
  /** What the candidates were tried on, with the number of runs. */
  readonly tried_on: Readonly<{ [what: string]: number }>;
  /** Means over all runs: candidates enumerated, and candidates run. */
  readonly candidates_per_run: number;
  readonly tried_per_run: number;
  /**
   * For runs that solved their task, the median 1-based position of the solving candidate; null if none did.
   */
  readonly median_rank: number | null;
}

/** Null without runs of that agent. */
export function searchUse(records: readonly RecordFacts[]): SearchUse | null {
  const runs = records.flatMap(({ search, passed }) => (search ? { ...search, passed } : []));
  if (runs.length === 0) return null;
  const mean = (value: (run: (typeof runs)[number]) => number) => sumOf(runs, value) / runs.length;
  const kinds = [...new Set(runs.map(({ tried_on }) => tried_on))];
  return {
    runs: runs.length,
    ranked: runs.filter(({ ranked }) => ranked).length,
    tried_on: Object.fromEntries(
      kinds.map(kind => [kind, runs.filter(({ tried_on }) => tried_on === kind).length]),
    ),
    candidates_per_run: mean(({ candidates }) => candidates),
    tried_per_run: mean(({ tried }) => tried),
    median_rank: median(runs.flatMap(({ passed, rank }) => (passed && rank !== null ? rank : []))),
  };
}

/** Whether the hidden tests influenced a run's first answer: a search that tried its candidates on them. */
export function isChosenByTests({ search }: Pick<RecordFacts, 'search'>): boolean {
  return search?.tried_on === 'tests';
}
