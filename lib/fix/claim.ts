import { structuredPatch } from 'diff';
import type { Mutants } from '../../machines/project-actors.ts';
import { changeOf } from '../syntax/edits/edits.ts';

/**
 * What a change that passes all tests may be called: a repair, or unsure. Decided by the kind of change and by how many
 * other edits of the changed expression the tests reject. Fitted to changes of real bugs that passed and were judged by
 * hand (docs/benchmarks.md, «What is called a repair»); nothing else that was known (candidates tried, other changes that
 * pass, the size of the diff) told right from wrong.
 */

/** A kind of change that is seldom meant, as a sentence goes on: `it exchanges a variable`. */
export type UnsureKind = (typeof seldomMeant | typeof meantIfChecked)[number]['says'];

/** What the tests say about a change. */
export interface Evidence {
  /** Edits of the changed expression that were tried and rejected; null if that was not measured. */
  readonly mutants: Mutants | null;
  /** What the failing tests and the documentation say, in which a new value may stand. */
  readonly said: string;
}

interface Change {
  /** The changed lines. */
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The changed text within them, as whole words, with what surrounds it on its line. */
  readonly old: string;
  readonly now: string;
  readonly ahead: string;
  readonly behind: string;
}

const seldomMeant = [
  { says: 'moves statements', is: movesStatements },
  { says: 'changes a pattern', is: changesPattern },
  { says: 'exchanges a variable', is: exchangesVariable },
  { says: 'converts to text or to another case', is: converts },
  { says: 'turns a condition into == or !=', is: comparesEqual },
  { says: 'makes a value conditional', is: makesConditional },
  { says: 'adds or drops an index or slice', is: changesIndex },
] as const;

/** Repairs only if the tests reject nearly all other edits of the changed expression. */
const meantIfChecked = [
  { says: 'negates a comparison', is: negatesComparison },
  { says: 'swaps and with or', is: exchangesAndOr },
  { says: 'drops statements', is: dropsStatements },
  { says: 'exchanges a function', is: exchangesFunction },
  { says: 'adds an argument', is: addsArgument },
  { says: 'returns nothing early', is: returnsNothing },
  { says: 'changes a value that neither tests nor documentation name', is: changesValue },
] as const;

const MIN_MUTANTS = 6;
const MIN_REJECTED = 0.85;

const nothingSaid: Evidence = { mutants: null, said: '' };

/** Why a change of a file is not called a repair; null if it is one. */
export function unsureKind(
  before: string,
  after: string,
  { mutants, said }: Evidence = nothingSaid,
): UnsureKind | null {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  // Statements that were moved are two places of a diff; what was changed in several functions is judged one by one.
  const places = hunks.map(({ lines }) => {
    const of = (sign: string): string =>
      lines.flatMap(line => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n');
    return changeIn(of('-'), of('+'));
  });
  if (movesStatements(changeIn(before, after))) return seldomMeant[0].says;
  const seldom = seldomMeant.find(({ is }) => places.some(is));
  if (seldom) return seldom.says;
  const isChecked =
    mutants !== null && mutants.tried >= MIN_MUTANTS && mutants.rejected >= MIN_REJECTED * mutants.tried;
  if (isChecked) return null;
  return meantIfChecked.find(({ is }) => places.some(place => is(place, said)))?.says ?? null;
}

function changeIn(before: string, after: string): Change {
  const { start: first, end: last } = changeOf(before, after);
  let start = first;
  let tail = before.length - last;
  while (start > 0 && isWordPart(before[start - 1]) && before[start - 1] === after[start - 1]) start--;
  while (tail > 0 && isWordPart(before.at(-tail)) && before.at(-tail) === after.at(-tail)) tail--;
  const lineStart = before.lastIndexOf('\n', start - 1) + 1;
  const lineTail = tail - (before.slice(before.length - tail).split('\n', 1)[0] ?? '').length;
  const linesOf = (text: string): string[] => text.slice(lineStart, text.length - lineTail).split('\n');
  return {
    oldLines: linesOf(before),
    newLines: linesOf(after),
    old: before.slice(start, before.length - tail),
    now: after.slice(start, after.length - tail),
    ahead: before.slice(lineStart, start),
    behind: before.slice(before.length - tail, before.length - lineTail),
  };
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character);
}

function movesStatements({ oldLines, newLines }: Change): boolean {
  const plain = (lines: readonly string[]): string[] =>
    lines
      .map(line => line.trim())
      .filter(Boolean)
      .sort();
  return oldLines.length > 1 && plain(oldLines).join('\n') === plain(newLines).join('\n');
}

const NAME = /^[A-Za-z_$][\w$]*$/;
const WORDS =
  /^(?:True|False|None|true|false|null|undefined|not|and|or|in|is|if|else|elif|return|while|for|break|continue|yield|await|min|max|any|all|let|const|var)$/;

function exchangesVariable({ old, now, ahead, behind }: Change): boolean {
  const isName = (text: string): boolean => NAME.test(text) && !WORDS.test(text);
  return isName(old) && isName(now) && !behind.startsWith('(') && !isInText(ahead);
}

function changesPattern({ ahead, behind, oldLines }: Change): boolean {
  const line = oldLines.join('\n');
  const isPattern = /\bre\.\w+\(|\bRegExp\(|\br["']|(?:pattern|regex)\w*\s*[:=]/i.test(line);
  const isLiteral =
    /\/(?:[^/\n\\]|\\.){1,500}\//.test(line) &&
    /(?:^|[=(,:!&|?]|\breturn)\s*\/(?:[^/\n\\]|\\.)*\\?$/.test(ahead);
  return (isPattern && isInText(ahead)) || (isLiteral && /^(?:[^/\n\\]|\\.)*\//.test(behind));
}

/** Whether what follows a beginning of a line stands in a text literal. */
function isInText(ahead: string): boolean {
  const open = ahead.replace(/\\./g, '').match(/["'`]/g) ?? [];
  let quote: string | null = null;
  for (const each of open) quote = quote === null ? each : each === quote ? null : quote;
  return quote !== null;
}

const CASES =
  /\.(?:upper|lower|title|capitalize|casefold|swapcase|toUpperCase|toLowerCase|toLocale(?:Upper|Lower)Case)\(/g;
const TEXTS = /(?<![\w.])(?:str|repr|String)\(|\.toString\(/g;

function converts({ oldLines, newLines }: Change): boolean {
  const matches = (lines: readonly string[], pattern: RegExp): string[] =>
    lines.join('\n').match(pattern) ?? [];
  const added = (pattern: RegExp): boolean => {
    const before = matches(oldLines, pattern);
    return matches(newLines, pattern).some((text, index) => text !== before[index]);
  };
  return added(CASES) || matches(newLines, TEXTS).length > matches(oldLines, TEXTS).length;
}

function comparesEqual({ oldLines, newLines }: Change): boolean {
  const others = (text: string): number =>
    (text.match(/(?<![-=<>])[<>]=?(?![<>])|\b(?:not )?in\b|\bis(?: not)?\b|[=!]==?/g) ?? []).length;
  const [before, after] = [oldLines.join('\n'), newLines.join('\n')];
  return equals(after) > equals(before) && others(after) <= others(before);
}

function equals(text: string): number {
  return (text.match(/[=!]==?/g) ?? []).length;
}

/** `==` for `!=`, or `!==` for `===`. */
function negatesComparison({ oldLines, newLines }: Change): boolean {
  const negated = (text: string): number => (text.match(/!==?/g) ?? []).length;
  const [before, after] = [oldLines.join('\n'), newLines.join('\n')];
  return equals(after) === equals(before) && negated(after) !== negated(before);
}

const CONDITIONAL = /\bif\b[^:\n]{0,200}\belse\b|[^?]\?(?![.?])[^:?\n]{0,200}:/g;

function makesConditional({ oldLines, newLines }: Change): boolean {
  const count = (lines: readonly string[]): number => (lines.join('\n').match(CONDITIONAL) ?? []).length;
  return oldLines.length === newLines.length && count(newLines) > count(oldLines);
}

function changesIndex({ old, now, ahead }: Change): boolean {
  const isIndexed = (text: string, value: string): boolean =>
    text.startsWith(value) && /^\[[^[\]]*\]$/.test(text.slice(value.length));
  // Without something in front of it, it is a list.
  return isIndexed(old, now) || (isIndexed(now, old) && /[\w$)\]]$/.test(ahead + old));
}

const OPERATORS = /^(?:and|or|&&|\|\|)$/;

function exchangesAndOr({ old, now }: Change): boolean {
  return OPERATORS.test(old.trim()) && OPERATORS.test(now.trim());
}

function dropsStatements({ oldLines, newLines }: Change): boolean {
  return newLines.every(line => line.trim() === '') && oldLines.some(line => line.trim() !== '');
}

function exchangesFunction({ old, now, ahead, behind }: Change): boolean {
  const isName = (text: string): boolean => NAME.test(text) && !WORDS.test(text);
  return isName(old) && isName(now) && behind.startsWith('(') && !isInText(ahead);
}

function addsArgument({ old, now, ahead, behind, newLines }: Change): boolean {
  const isAdded = now.startsWith(old) && /^\s*,\s*[^\s,]/.test(now.slice(old.length));
  // Types and exceptions are no arguments.
  const isType = /\bexcept\b|\bisinstance\(/.test(newLines.join('\n'));
  return isAdded && !isType && /^\s*[,)]/.test(behind) && !isInText(ahead);
}

function returnsNothing({ oldLines, newLines }: Change): boolean {
  const count = (lines: readonly string[]): number =>
    lines.filter(line => /^\s*return (?:None|null|undefined);?$/.test(line)).length;
  return count(newLines) > count(oldLines);
}

const VALUE = /^(?:-?\d[\d_.]*|True|False|None|true|false|null|undefined)$/;

function changesValue({ old, now, ahead, oldLines, newLines }: Change, said: string): boolean {
  const isValue = VALUE.test(old) && VALUE.test(now);
  const isText = isInText(ahead) && oldLines.length === newLines.length;
  if (!isValue && !isText) return false;
  return now.trim() === '' || !isSaid(now, said);
}

/** Whether a value stands in a text, as a whole word. */
function isSaid(value: string, said: string): boolean {
  for (let offset = said.indexOf(value); offset !== -1; offset = said.indexOf(value, offset + 1)) {
    const isWhole = (outer: string | undefined, inner: string | undefined): boolean =>
      !(isWordPart(outer) && isWordPart(inner));
    if (isWhole(said[offset - 1], value[0]) && isWhole(said[offset + value.length], value.at(-1)))
      return true;
  }
  return false;
}
