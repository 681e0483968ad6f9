import type { Mutants, QuestionInput } from '../../../machines/project-actors.ts';
import { noFacts } from '../../repair/operators/facts.ts';
import { changeOf } from '../../syntax/edits/edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { repairableIn } from '../localise/constants.ts';
import { sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionEdits } from '../repair/function-edits.ts';
import { functionTask } from '../repair/function-task.ts';
import { suspectIn } from '../repair/suspect-change.ts';
import { createCandidateJudge, IN_FLIGHT } from '../repair/tests-decide.ts';
import type { Runner } from '../runners/runner.ts';

export interface MutantParts {
  readonly project: OpenProject;
  readonly runners: readonly Runner[];
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Mutants that are tried, and edits of the changed lines among which those of the changed expression are looked for. */
const MAX_MUTANTS = 16;
const MAX_EDITS = 300;

/**
 * How many single edits of the changed expression the tests reject, as in mutation testing: if they pass with many, they
 * say little about it. Null if a model wrote the change, the repaired function is not in the changed file, or no edit is
 * known. After an abort, it counts those that were tried before.
 */
export async function rejectedMutants(
  { tests, suspect, found, changes }: QuestionInput,
  { project, runners, timeout, signal }: MutantParts,
): Promise<Mutants | null> {
  const { parser, language } = project;
  if (found.origin === 'sample') return null;
  const suspectFunction = suspectIn({ project, repaired: new Map() }, suspect).function;
  const file = sourcesOf(changes).get(suspect.file);
  if (!file) return null;
  await project.check([file], signal);
  const repaired = repairableIn(parser, file).find(
    ({ qualified, headerLine }) =>
      qualified === suspectFunction.qualified && headerLine === suspectFunction.headerLine,
  );
  if (!repaired) return null;
  const task = functionTask(parser, language, file.text, repaired);
  const { buggy } = functionTask(parser, language, suspectFunction.file.text, suspectFunction).task;
  const codes = await mutantsOf(task, buggy, { parser, signal });
  const [fresh] = runners;
  if (!fresh) return null;
  const ignored = { fresh, onTried: () => {}, onJudged: () => {} };
  const judge = createCandidateJudge(
    { timeout, signal, tests, repaired: new Map(), runners, ...ignored },
    found.place,
    [suspectFunction],
    task,
    file,
  );
  const queue = codes.values();
  let [tried, rejected] = [0, 0];
  const work = async (worker: number): Promise<void> => {
    for (const code of queue) {
      // What is asked of an edit is asked of a repair.
      const { isRepair } = await judge({ origin: 'pair', code }, worker);
      tried++;
      if (!isRepair) rejected++;
    }
  };
  const workers = Array.from({ length: runners.length * IN_FLIGHT }, (_, worker) => work(worker));
  await Promise.all(workers).catch(error => {
    if (!signal.aborted) throw error;
  });
  return tried === 0 ? null : { tried, rejected };
}

/** The likeliest single edits of the expression that a repair has changed, without the one that undoes it. */
async function mutantsOf(
  task: ReturnType<typeof functionTask>,
  buggy: string,
  { parser, signal }: { readonly parser: SyntaxParser; readonly signal: AbortSignal },
): Promise<string[]> {
  const { buggy: code } = task.task;
  const { start, end } = changedExpression(parser, buggy, code);
  const rowOf = (offset: number): number => code.slice(0, offset).split('\n').length;
  const [first, last] = [rowOf(start), rowOf(end)];
  // Only edits of the changed lines have a weight.
  const lineOf = (row: number): number => row;
  const rows = code
    .split('\n')
    .map((_, index) => [index + 1, index + 1 >= first && index + 1 <= last ? 1 : 0] as const);
  const edits = functionEdits({ ...task, lineOf }, new Map(rows), { parser, signal, failures: noFacts });
  const all = await edits.upTo(MAX_EDITS).finally(edits.close);
  const isInside = (mutant: string): boolean => {
    const change = changeOf(code, mutant);
    return change.start >= start && change.end <= end;
  };
  return all.filter(mutant => mutant !== buggy && isInside(mutant)).slice(0, MAX_MUTANTS);
}

/** Where the smallest expression or statement stands that contains all that was changed. */
function changedExpression(
  parser: SyntaxParser,
  before: string,
  after: string,
): { start: number; end: number } {
  const change = changeOf(before, after);
  const [start, end] = [change.start, change.start + change.replacement.length];
  return parser.read(after, root => {
    let node = root.descendantForIndex(start, end) ?? root;
    // A word or a sign alone can hardly be changed.
    while (node.parent && node.namedChildCount === 0 && !BLOCK.test(node.parent.type)) node = node.parent;
    return { start: node.startIndex, end: node.endIndex };
  });
}

const BLOCK = /^(?:block|statement_block|module|program)$/;
