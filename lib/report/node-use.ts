import type { RunRecord } from '../core/record.ts';

/** What a node of an agent did in all runs. */
export interface NodeUse {
  /** How often it asked the model. */
  readonly asked: number;
  /** How often what it asked for passed; of a diagnosis, how often the attempt after it did. */
  readonly passed: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Of the model. */
  readonly seconds: number;
  /** Completion tokens; null if it took no time. */
  readonly tokens_per_second: number | null;
}

/** By node, in the order in which they were first used. */
export function useByNode(records: readonly RunRecord[]): Readonly<{ [node: string]: NodeUse }> {
  const uses = records.flatMap(usesIn);
  const nodes = [...new Set(uses.map(({ node }) => node))];
  return Object.fromEntries(nodes.map(node => [node, total(uses.filter(use => use.node === node))]));
}

interface Use extends Pick<NodeUse, 'tokens' | 'seconds'> {
  readonly node: string;
  readonly passed: boolean;
}

function usesIn({ attempts }: RunRecord): Use[] {
  const passes = attempts.map(({ verdict }) => verdict?.kind === 'passed');
  return attempts.flatMap(({ node, tokens, seconds, diagnosis }, index) => [
    { node, tokens, seconds: seconds.proposal, passed: passes[index] ?? false },
    ...(diagnosis ? [{ ...diagnosis, node: 'diagnose', passed: passes[index + 1] ?? false }] : []),
  ]);
}

function total(uses: readonly Use[]): NodeUse {
  const sum = (value: (use: Use) => number) => uses.reduce((so, use) => so + value(use), 0);
  const completion = sum(({ tokens }) => tokens.completion);
  const seconds = sum(use => use.seconds);
  return {
    asked: uses.length,
    passed: uses.filter(({ passed }) => passed).length,
    tokens: { prompt: sum(({ tokens }) => tokens.prompt), completion },
    seconds: Math.round(seconds * 1000) / 1000,
    tokens_per_second: seconds === 0 ? null : Math.round((completion / seconds) * 10) / 10,
  };
}
