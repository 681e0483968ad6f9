import type { TestResult } from '../../core/project-tests.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type ConstantRead, executes, functionsByLine, lastUpTo, type ProjectFunction } from './functions.ts';

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

/** Of the suspicion of that line. */
const SHARE = 0.9;

/**
 * Ranks constants, which tests execute when they are loaded: each is a little less suspicious than the most suspicious
 * line that reads it.
 * @param ranked the functions
 */
export function rankConstants(
  constants: readonly ProjectFunction[],
  ranked: readonly Suspect[],
  tests: readonly TestResult[],
): Suspect[] {
  const suspects = new Map(
    ranked.map(suspect => [suspect.function, [...suspect.lines].toSorted(([a], [b]) => a - b)]),
  );
  const suspicionOf = ({ reader, line }: ConstantRead): number => {
    const lines = suspects.get(reader) ?? [];
    // Only the first line of a statement is recorded, and none of a header.
    const above = lastUpTo(line, lines, ([each]) => each);
    return above === null ? highest(lines.map(([, suspicion]) => suspicion)) : (lines[above]?.[1] ?? 0);
  };
  return constants.flatMap(constant => {
    const suspicion = SHARE * highest(constant.reads.map(suspicionOf));
    return suspicion > 0
      ? [{ function: constant, suspicion, lines: linesOf(constant, suspicion, tests) }]
      : [];
  });
}

/** Not with `...`, which a long list would fill the stack with. */
function highest(suspicions: readonly number[]): number {
  return suspicions.reduce((most, each) => Math.max(most, each), 0);
}

/** How much less suspicious the other lines are if the failing tests name some. */
const OTHERS = 0.25;
/** A word in more lines tells them no longer apart. */
const MAX_LINES = 3;

/** The lines of the value: first those with words that failing tests say too, such as the key of an entry. */
function linesOf(
  constant: ProjectFunction,
  suspicion: number,
  tests: readonly TestResult[],
): Map<number, number> {
  const { file, bodyLine, lastLine } = constant;
  const rows = rowsOf(file).slice(bodyLine - 1, lastLine);
  const failing = tests.filter(test => test.outcome === 'failed' && executes(test, constant));
  const said = new Set(
    failing.flatMap(({ id, message = '', test, expected = '', actual = '' }) =>
      wordsOf([id, message, test?.source ?? '', expected, actual].join(' ')),
    ),
  );
  const rowWords = rows.map(row => new Set(wordsOf(row).filter(word => said.has(word))));
  const counts = new Map<string, number>();
  for (const word of rowWords.flatMap(each => [...each])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isTelling = (word: string) => (counts.get(word) ?? 0) <= MAX_LINES;
  const isNamed = rowWords.map(each => [...each].some(isTelling));
  const others = isNamed.includes(true) ? OTHERS * suspicion : suspicion;
  return new Map(rows.map((_, index) => [bodyLine + index, isNamed[index] ? suspicion : others]));
}

function rowsOf(file: SourceFile): readonly string[] {
  const rows = knownRows.get(file) ?? file.text.split('\n');
  knownRows.set(file, rows);
  return rows;
}

const knownRows = new WeakMap<SourceFile, readonly string[]>();

/** With hyphens, as in `el-CY`. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$-]+/gu) ?? [];
}
