import type { Located } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import { executes } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask } from './function-task.ts';
import { twoFunctionsTask } from './two-functions.ts';

/** Suspects and their pairs as plain data. @param writes whether the model writes whole functions */
export function locatedIn(
  { parser, language }: OpenProject,
  suspects: readonly Suspect[],
  tests: readonly TestResult[],
  writes: boolean,
): Located {
  const dataOf = ({ function: found, suspicion, lines }: Suspect) => ({
    kind: found.kind,
    file: found.file.path,
    function: found.qualified,
    line: found.headerLine,
    suspicion,
    lines: [...lines],
    task: functionTask(parser, language, found.file.text, found).task,
  });
  return {
    suspects: suspects.map(dataOf),
    pairs: suspectPairs(suspects, tests).map(([{ function: first, ...found }, { function: second }]) => ({
      ...dataOf({ function: first, ...found }),
      task: twoFunctionsTask(parser, language, first.file.text, [first, second]).task,
      partner: { kind: second.kind, function: second.qualified, line: second.headerLine },
    })),
    startsWithEdits: !writes,
  };
}

/** Number of suspects that are paired, and of their pairs. */
const MAX_PAIRED = 8;
const MAX_PAIRS = 3;

/** Two functions of one file that the same failing test executes, the most suspicious pairs first. */
function suspectPairs(
  suspects: readonly Suspect[],
  tests: readonly TestResult[],
): (readonly [Suspect, Suspect])[] {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const arePair = ({ function: one }: Suspect, { function: other }: Suspect): boolean =>
    [one, other].every(({ kind }) => kind === 'function') &&
    one.file.path === other.file.path &&
    one.name !== other.name &&
    (one.lastLine < other.firstLine || other.lastLine < one.firstLine) &&
    failing.some(test => executes(test, one) && executes(test, other));
  return suspects
    .slice(0, MAX_PAIRED)
    .flatMap((other, place) =>
      suspects
        .slice(0, place)
        .filter(one => arePair(one, other))
        .map(one => [one, other] as const),
    )
    .slice(0, MAX_PAIRS);
}
