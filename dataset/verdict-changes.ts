import type { SolutionVerdict, TaskVerdicts } from './verify.ts';

/** A solution that was not judged the same every time. */
export interface VerdictChange {
  readonly taskId: string;
  readonly solution: 'canonical' | 'buggy';
  /** The kinds of verdict that it got, in the order in which they first came. */
  readonly verdicts: readonly (SolutionVerdict & {
    /** In how many of the repetitions. */
    readonly count: number;
  })[];
}

/** Compares the same tasks' verdicts, judged several times: by their kinds, because messages may quote a set's order. */
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
