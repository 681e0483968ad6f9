import type { Located } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import { suspectPairs } from '../localise/suspect-pairs.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { OpenProject } from '../project/open-project.ts';
import { functionTask } from './function-task.ts';
import { twoFunctionsTask } from './two-functions.ts';

/** Suspects and their pairs as plain data. */
export function locatedIn(
  { parser, language }: OpenProject,
  suspects: readonly Suspect[],
  tests: readonly TestResult[],
): Located {
  const dataOf = ({ function: found, suspicion, lines }: Suspect) => ({
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
      partner: { function: second.qualified, line: second.headerLine },
    })),
  };
}
