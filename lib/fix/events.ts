import type { ProjectContext } from '../../machines/project-setup.ts';
import { countsOf } from '../core/project-tests.ts';
import { type FixEvent, failingOf, summaryOf } from './report.ts';

/** The events that a transition of the machine reports. @param before the state left; null at the start */
export function eventsOf(before: string | null, state: string, context: ProjectContext): FixEvent[] {
  const { place, suspects, project, first, baseline, ranked, repairs, changes } = context;
  const about = state === 'search' || state === 'rewrite' ? (suspects[place]?.function ?? '') : '';
  const entered: FixEvent = { kind: 'state', state, about };
  const repair = repairs.at(-1);
  if (state === 'copy') return [entered, { kind: 'preparing', what: 'copying the project' }];
  if (state === 'test')
    return [entered, { kind: 'preparing', what: `running the tests with ${project?.runner}` }];
  if (before === 'repeat' && first && baseline) {
    return [{ kind: 'tests', before: countsOf(first), failing: failingOf(baseline) }, entered];
  }
  if (before === 'locate' && changes.length === 0 && ranked && baseline && failingOf(baseline).length > 0)
    return [{ kind: 'suspects', suspects: ranked.map(summaryOf) }, entered];
  if (before === 'confirm' && repair) return [{ kind: 'repaired', repair }, entered];
  return [entered];
}

/** A candidate was run. */
export function triedEvent({ suspects, place, tried, best }: ProjectContext): FixEvent {
  return { kind: 'tried', function: suspects[place]?.function ?? '', tried, best };
}
