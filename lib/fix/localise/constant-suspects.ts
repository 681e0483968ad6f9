import type { TestResult } from '../../core/project-tests.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type ConstantRead, executes, lastUpTo, type ProjectFunction } from './functions.ts';
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
