import type { AgentContext } from '../../machines/context.ts';
import { titleOf } from '../../machines/project-actors.ts';
import { mostProgress, nameOf, type ProjectContext } from '../../machines/project-setup.ts';
import { countsOf, failedTests } from '../core/project-tests.ts';
import { changesOf } from './patch/unified-diff.ts';
import type { OpenProject } from './project/open-project.ts';
import { changesWith } from './repair/suspect-change.ts';
import { type FixEvent, failingOf, summaryOf } from './report.ts';

/** A state of the machine. */
export interface MachineState {
  readonly state: string;
  readonly context: ProjectContext;
}

/** The events that a transition of the machine reports. @param before the state left; null at the start */
export function eventsOf(before: MachineState | null, { state, context }: MachineState): FixEvent[] {
  const { project, first, baseline, ranked, repairs, changes } = context;
  const about = state === 'search' ? functionNow(context) : '';
  const entered: FixEvent = { kind: 'state', state, about };
  if (state === 'copy') return [entered, { kind: 'preparing', what: 'copying the project' }];
  if (state === 'test')
    return [entered, { kind: 'preparing', what: `running the tests with ${project?.runner}` }];
  if (before?.state === 'repeat' && first && baseline) {
    return [{ kind: 'tests', before: countsOf(first), failing: failingOf(baseline) }, entered];
  }
  const isRanked = before?.state === 'locate' && changes.length === 0;
  if (isRanked && ranked && baseline && failingOf(baseline).length > 0)
    return [{ kind: 'suspects', suspects: ranked.map(summaryOf) }, entered];
  const repaired = repairs.slice(before?.context.repairs.length ?? repairs.length);
  return [...repaired.map((repair): FixEvent => ({ kind: 'repaired', repair })), entered];
}

function functionNow({ suspects, place }: ProjectContext): string {
  return nameOf(suspects[place]);
}

/** A state of a machine that the machine for projects invokes: in one function, or in a conversation. */
export interface InnerStep {
  readonly machine: { readonly id: string };
  readonly value: unknown;
  readonly context: AgentContext;
}

/** @param left number of candidates to try before the next step; null unless candidates are tried */
export function stepEvent(
  context: ProjectContext,
  { machine, value }: InnerStep,
  left: number | null,
): FixEvent {
  // The conversation is about the whole project.
  const about = machine.id === 'writer' ? '' : functionNow(context);
  return { kind: 'step', step: String(value), function: about, left };
}

/** A candidate was run. */
export function triedEvent(context: ProjectContext, left: number | null): FixEvent {
  const { tried, best, suspects, place } = context;
  const suspect = suspects[place];
  const location = suspect ? `${suspect.file}:${suspect.line}` : null;
  return { kind: 'tried', function: functionNow(context), location, tried, left, best };
}

/** What there is when a repair is interrupted. */
export function interruptedEvent(project: OpenProject, context: ProjectContext): FixEvent {
  const { suspects, tests, changes, tried, repairs } = context;
  const most = mostProgress(context);
  const suspect = suspects[most?.place ?? -1];
  const changed = most && suspect ? changesWith(project, { changes, suspect, found: most }) : changes;
  return {
    kind: 'interrupted',
    project: project.root,
    tried,
    repaired: repairs.map(titleOf),
    best:
      most && suspect
        ? { function: nameOf(suspect), passed: most.passed, of: failedTests({ tests }).length }
        : null,
    changes: changesOf(project, changed),
  };
}
