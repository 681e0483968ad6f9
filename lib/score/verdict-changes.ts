import type { SolutionVerdict, TaskVerdicts } from './verify-dataset.ts';

/** A solution whose verdict was not the same every time. */
export interface VerdictChange {
  readonly taskId: string;
  readonly solution: 'canonical' | 'buggy';
  /** The kinds of verdict that it got, in order of first occurrence. */
  readonly verdicts: readonly (SolutionVerdict & {
    /** The number of repetitions with each. */
    readonly count: number;
  })[];
}

/** Compares the verdicts of repeated runs by kind; messages may quote a set, whose order varies. */
export function verdictChanges(repetitions: readonly (readonly TaskVerdicts[])[]): VerdictChange[] {
  const [first = []] = repetitions;
  return first.flatMap(({ taskId }, index) =>
    (['canonical', 'buggy'] as const).flatMap(solution => {
      const all = repetitions.flatMap(verdicts => verdicts[index]?.[solution] ?? []);
      const verdicts = counted(all);
      return verdicts.length > 1 ? [{ taskId, solution, verdicts }] : [];
    }),
  );
}

function counted(all: readonly SolutionVerdict[]): VerdictChange['verdicts'] {
  const byKind = new Map<string, VerdictChange['verdicts'][number]>();
  for (const verdict of all) {
    const known = byKind.get(verdict.kind) ?? { ...verdict, count: 0 };
    byKind.set(verdict.kind, { ...known, count: known.count + 1 });
  }
  return [...byKind.values()];
}
