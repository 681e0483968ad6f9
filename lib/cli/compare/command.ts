import { realpath } from 'node:fs/promises';
import { agentLabel } from '../../core/choices.ts';
import { printable } from '../../core/text.ts';
import { parseOptions } from '../../options/option.ts';
import { compareOptions } from '../../options/tables/command-options.ts';
import { type Comparison, compareRecords, comparisonText } from '../../report/comparison.ts';
import { inProgressWarning, readFacts } from '../../report/results/fact-reader.ts';
import { type Difference, manifestDifferences } from '../../run/run-manifest.ts';
import type { Command } from '../command.ts';
import { warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description: 'Compares two runs on the tasks that both judged, with a paired test.',
  operands: { usage: '<a.jsonl> <b.jsonl>', min: 2, max: 2 },
  options: compareOptions,
  examples: ['hefix compare results/a.jsonl results/b.jsonl'],
  endsAtOnce: true,
  async run(input, { printResult, terminal }, [a = '', b = '']) {
    const { quiet } = parseOptions(compareOptions, input);
    const comparison = await compareRuns(a, b);
    if (!quiet) {
      const { dim } = terminal.colors;
      for (const warning of comparison.warnings) terminal.write(warningLine(terminal, warning));
      const { agents } = comparison;
      terminal.write(
        `A  ${printable(a)}, agent ${printable(agents.a)}\nB  ${printable(b)}, agent ${printable(agents.b)}\n`,
      );
      terminal.write(comparisonText(comparison));
      for (const { what, a: one, b: other } of comparison.differences) {
        terminal.write(dim(`${what}: A ${printable(one)}, B ${printable(other)}\n`));
      }
    }
    printResult(comparison);
    return 0;
  },
};

interface RunComparison extends Comparison {
  readonly a: string;
  readonly b: string;
  readonly agents: { readonly a: string; readonly b: string };
  /** Everything that differs and affects results; ideally only the setting under comparison. */
  readonly differences: readonly Difference[];
  /** Whole sentences. */
  readonly warnings: readonly string[];
}

/** Differences that make two runs incomparable, unless they are the subject of the comparison. */
const weightiest = ['dataset', 'prompts', 'model', '--prompt', '--lang'];

/** Compares two results files task by task. Rejects with the HefixErrors of reading them. */
export async function compareRuns(pathA: string, pathB: string): Promise<RunComparison> {
  const [a, b] = [await readFacts(pathA), await readFacts(pathB)];
  const differences = manifestDifferences(a.manifest, b.manifest);
  const weighty = differences.filter(({ what }) => weightiest.includes(what));
  return {
    a: pathA,
    b: pathB,
    agents: { a: agentLabel(a.manifest), b: agentLabel(b.manifest) },
    ...compareRecords(a.records, b.records),
    differences,
    warnings: [
      ...((await isSameFile(pathA, pathB))
        ? [`A and B are the same file, ${pathA}: nothing can differ.`]
        : []),
      ...[a, b].filter(({ inProgress }) => inProgress).map(inProgressWarning),
      ...weighty.map(({ what, a: one, b: other }) => `A and B differ in ${what}: ${one} and ${other}.`),
    ],
  };
}

/** Resolves links and different spellings of a path. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([realpath(a), realpath(b)]);
  return one === other;
}
