import { bestFirst, type ProposedEdit } from './best-first.ts';
import type { ProjectHints } from './enumerate.ts';
import type { FunctionView } from './function-view.ts';
import { rankedOperators } from './likelihoods.ts';
import { operators } from './operators.ts';

/** The edits of all operators, those that are likeliest to repair a project first. */
export function projectEdits(
  view: FunctionView,
  { failures, weightOf }: Pick<ProjectHints, 'failures' | 'weightOf'>,
): Iterable<ProposedEdit | null> {
  const applicable = operators.filter(({ languages }) => languages?.includes(view.language) ?? true);
  return bestFirst(view, rankedOperators(applicable, view.language, failures), weightOf);
}
