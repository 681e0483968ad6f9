import type { TestResult } from '../../core/project-tests.ts';
import { type ConstantRead, executes, type ProjectFunction } from './functions.ts';
import type { Suspect } from './suspects.ts';

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
  const suspects = new Map(ranked.map(suspect => [suspect.function, suspect]));
  const suspicionOf = ({ reader, line }: ConstantRead): number => {
    const { lines = new Map<number, number>() } = suspects.get(reader) ?? {};
    // Only the first line of a statement is recorded, and none of a header.
    const above = [...lines.keys()].filter(other => other <= line);
    return above.length > 0 ? (lines.get(Math.max(...above)) ?? 0) : Math.max(0, ...lines.values());
  };
  return constants.flatMap(constant => {
    const suspicion = SHARE * Math.max(0, ...constant.reads.map(suspicionOf));
    return suspicion > 0
      ? [{ function: constant, suspicion, lines: linesOf(constant, suspicion, tests) }]
      : [];
  });
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
  const rows = file.text.split('\n').slice(bodyLine - 1, lastLine);
  const failing = tests.filter(test => test.outcome === 'failed' && executes(test, constant));
  const said = new Set(
    failing.flatMap(({ id, message = '', test, expected = '', actual = '' }) =>
      wordsOf([id, message, test?.source ?? '', expected, actual].join(' ')),
    ),
  );
  const words = rows.map(row => new Set(wordsOf(row).filter(word => said.has(word))));
  const isTelling = (word: string) => words.filter(each => each.has(word)).length <= MAX_LINES;
  const isNamed = words.map(each => [...each].some(isTelling));
  const others = isNamed.includes(true) ? OTHERS * suspicion : suspicion;
  return new Map(rows.map((_, at) => [bodyLine + at, isNamed[at] ? suspicion : others]));
}

/** With hyphens, as in `el-CY`. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$][\p{L}\p{N}_$-]+/gu) ?? [];
}
