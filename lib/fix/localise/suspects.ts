import type { TestResult } from '../../core/project-tests.ts';
import { functionsByLine, type ProjectFunction } from './functions.ts';

export interface Suspect {
  readonly function: ProjectFunction;
  /** From 0 to 1, plus the bonus for a traceback. */
  readonly suspicion: number;
  /** The suspicion of each line that a test executed: from 0 to 1, times 3 for those of a traceback; 1-based lines of the file. */
  readonly lines: ReadonlyMap<number, number>;
}

/**
 * Ranks functions by how suspicious the tests make them, the most suspicious first. A line's suspicion is
 * Ochiai's coefficient, failed(line) / √(failed · (failed(line) + passed(line))), which counts the failing
 * and passing tests that execute it (Abreu, Zoeteweij, van Gemund: On the Accuracy of Spectrum-based Fault
 * Localization, TAICPART 2007). A function is as suspicious as its most suspicious line. The function that
 * raised the exception gets a bonus of 0.5, the other functions of the traceback less the further away they
 * are. What tests themselves compare or check with is less suspicious.
 *
 * Of 24 bugs of Python packages whose function is in the traceback, 13 were fixed on that line and 3 next to it: such
 * lines count three times as much.
 */
export function rankSuspects(functions: readonly ProjectFunction[], tests: readonly TestResult[]): Suspect[] {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const lines = new Map<ProjectFunction, Map<number, Counts>>();
  const byFile = new Map<string, ProjectFunction[]>();
  for (const each of functions) {
    const group = byFile.get(each.file.path);
    if (group) group.push(each);
    else byFile.set(each.file.path, [each]);
  }
  const innermost = new Map([...byFile].map(([path, group]) => [path, functionsByLine(group)]));
  for (const test of tests) {
    for (const [path, numbers] of Object.entries(test.lines ?? {})) {
      const within = innermost.get(path);
      for (const line of numbers) count(lines, within?.(line) ?? null, line, test.outcome);
    }
  }
  const bonus = tracebackBonus(innermost, failing);
  const passedThrough = new Set(
    failing.flatMap(({ frames = [] }) => frames.map(([path, line]) => `${path}:${line}`)),
  );
  return [...lines]
    .map(([suspect, counts]) => {
      const suspicions = new Map(
        [...counts].map(([line, { failed, passed }]) => [
          line,
          failed === 0 ? 0 : failed / Math.sqrt(failing.length * (failed + passed)),
        ]),
      );
      return {
        function: suspect,
        suspicion:
          shareOfBlame(suspect) *
          ([...suspicions.values()].reduce((most, each) => Math.max(most, each), 0) +
            (bonus.get(suspect) ?? 0)),
        lines: new Map(
          [...suspicions].map(([line, suspicion]) => [
            line,
            suspicion * (passedThrough.has(`${suspect.file.path}:${line}`) ? TRACEBACK : 1),
          ]),
        ),
      };
    })
    .filter(({ suspicion }) => suspicion > 0)
    .toSorted((a, b) => b.suspicion - a.suspicion);
}

const TRACEBACK = 3;

/** A change of what a test compares with may make it pass although what it checks is as wrong as before. */
function shareOfBlame({ file, name }: ProjectFunction): number {
  if (/(?:^|\/)testing\//.test(file.path)) return 0.25;
  return /^__(?:eq|ne)__$/.test(name) ? 0.5 : 1;
}

interface Counts {
  failed: number;
  passed: number;
}

function count(
  lines: Map<ProjectFunction, Map<number, Counts>>,
  within: ProjectFunction | null,
  line: number,
  outcome: TestResult['outcome'],
): void {
  if (!within || outcome === 'skipped') return;
  const byLine = lines.get(within) ?? new Map<number, Counts>();
  const counts = byLine.get(line) ?? { failed: 0, passed: 0 };
  if (outcome === 'failed') counts.failed++;
  else counts.passed++;
  byLine.set(line, counts);
  lines.set(within, byLine);
}

/** Uses the largest share of any failing test. */
function tracebackBonus(
  innermost: ReadonlyMap<string, (line: number) => ProjectFunction | null>,
  failing: readonly TestResult[],
): Map<ProjectFunction, number> {
  const bonus = new Map<ProjectFunction, number>();
  for (const { frames = [] } of failing) {
    let share = 0.5;
    for (const [path, line] of frames.toReversed()) {
      const enclosing = innermost.get(path)?.(line);
      if (!enclosing) continue;
      bonus.set(enclosing, Math.max(bonus.get(enclosing) ?? 0, share));
      share /= 2;
    }
  }
  return bonus;
}
