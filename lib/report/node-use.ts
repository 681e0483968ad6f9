import type { Attempt } from '../core/attempt.ts';
import { roundedSeconds, sumOf } from '../core/numbers.ts';
import type { RunRecord } from '../core/record.ts';

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
export function useByNode(records: readonly RunRecord[]): Readonly<{ [node: string]: NodeUse }> {
  const uses = records.flatMap(usesIn);
  const nodes = [...new Set(uses.map(({ node }) => node))];
  return Object.fromEntries(nodes.map(node => [node, total(uses.filter(use => use.node === node))]));
}

/** Whether a model was asked for an attempt. Edits that were enumerated and not ranked have no prompt. */
export function isFromModel({ node, prompt }: Pick<Attempt, 'node' | 'prompt'>): boolean {
  return node !== 'given' && (node !== 'search' || prompt.length > 0);
}

interface Use extends Pick<NodeUse, 'tokens' | 'seconds'> {
  readonly node: string;
  readonly solved: boolean;
  readonly passedExamples: boolean;
}

function usesIn(record: RunRecord): Use[] {
  const { attempts, feedback } = record;
  const solving = solvingAttempt(record);
  return attempts.flatMap((attempt, index) => {
    const { node, tokens, seconds, diagnosis, verdict } = attempt;
    const passedExamples = feedback === 'examples' && verdict?.kind === 'passed';
    const modelSeconds = isFromModel(attempt) ? seconds.proposal : 0;
    const use = { node, tokens, seconds: modelSeconds, solved: index === solving, passedExamples };
    if (!diagnosis) return [use];
    return [use, { ...diagnosis, node: 'diagnose', solved: index + 1 === solving, passedExamples: false }];
  });
}

/** Index of the attempt that passed the hidden tests; −1 if none did. */
function solvingAttempt({ passed, feedback, fixed, attempts }: RunRecord): number {
  if (feedback === 'tests') return attempts.findIndex(({ verdict }) => verdict?.kind === 'passed');
  return passed ? attempts.findLastIndex(({ candidate }) => candidate === fixed) : -1;
}

function total(uses: readonly Use[]): NodeUse {
  const sum = (value: (use: Use) => number) => sumOf(uses, value);
  const completion = sum(({ tokens }) => tokens.completion);
  const seconds = sum(use => use.seconds);
  return {
    asked: uses.length,
    solved: uses.filter(({ solved }) => solved).length,
    passed_examples: uses.filter(({ passedExamples }) => passedExamples).length,
    tokens: { prompt: sum(({ tokens }) => tokens.prompt), completion },
    seconds: roundedSeconds(seconds),
    tokens_per_second: seconds === 0 ? null : Math.round((completion / seconds) * 10) / 10,
  };
}
