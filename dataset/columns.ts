import { z } from 'zod';
import { type BugType, bugTypes, type Language, type Task } from '../lib/core/task.ts';
import { literalPattern } from '../lib/core/text.ts';
import { functionHeaders } from '../lib/syntax/source-text.ts';
import {
  columnsInvalid,
  datasetColumnMissing,
  datasetColumnType,
  datasetDuplicateId,
  datasetLanguage,
  datasetNoDeclaration,
} from './errors.ts';

/**
 * The columns that tasks are read from: those of HumanEvalPack (`bigcode/humanevalpack`, MIT), whose six
 * files have the same columns except for two more in Go. Other columns are ignored.
 */
const text = z.string().min(1);
const MAX_ID_LENGTH = 1000;
const optionalText = z.string().nullish();
export const rowSchema = z.object({
  task_id: text
    .max(MAX_ID_LENGTH)
    .describe('unique id; a prefix such as `Python/` or `JavaScript/` sets the language'),
  declaration: z
    .string()
    .optional()
    .describe(
      "imports, helpers and the function's header, without the docstring; without this column, the solutions are whole programs",
    ),
  canonical_solution: text
    .optional()
    .describe(
      'the correct body, including the closing brace in languages that have one; `verify` needs it, and no model sees it',
    ),
  buggy_solution: text.describe('the body with the bug'),
  entry_point: z
    .string()
    .regex(/^[\p{L}_$][\p{L}\p{N}_$]{0,199}$/u)
    .describe('name of the function under test'),
  test: text.describe('the hidden tests'),
  docstring: optionalText.describe('what the function should do, usually with examples'),
  prompt: optionalText.describe('declaration with docstring; used only by the published prompts'),
  example_test: optionalText.describe("the docstring's examples as tests"),
  bug_type: optionalText.describe('such as `value misuse`; groups the summary'),
  import: optionalText.describe('Go only: imports of the declaration'),
  test_setup: optionalText.describe('Go only: package clause and imports of the tests'),
});
type Row = z.infer<typeof rowSchema>;

export const columns: readonly string[] = Object.keys(rowSchema.shape);

export interface RowOptions {
  readonly language?: Language | undefined;
  /** `--columns`: our column names with those of the file. */
  readonly columns?: string | undefined;
}

/** A row of a file with its 1-based number, which is the line number in JSONL. */
export interface RawRow {
  readonly number: number;
  readonly value: unknown;
}

/**
 * Converts rows to tasks, with whole programs assembled as in the published evaluation: declaration, then
 * body. If no language is given, it is derived from the ids (`JavaScript/0`), and defaults to Python. Throws
 * a HefixError that names the file, the row and the column.
 */
export function rowsToTasks(
  path: string,
  rawRows: readonly RawRow[],
  { language, columns: mapped }: RowOptions = {},
): Task[] {
  const mapping = mapped === undefined ? new Map() : parseMapping(mapped, columns);
  if (mapping === null) throw columnsInvalid(mapped ?? '', columns);
  const rows = rawRows.map(({ number, value }) => ({ number, value: renamedRow(value, mapping) }));
  const firstRowOf = new Map<string, number>();
  const wanted = language ?? languageOfFirst(rows) ?? 'python';
  return rows.map(({ number, value }) => {
    const row = parseRow(path, number, value, mapping);
    const first = firstRowOf.get(row.task_id);
    if (first !== undefined) throw datasetDuplicateId(path, number, row.task_id, first);
    firstRowOf.set(row.task_id, number);
    const idLanguage = languageOfId(row.task_id);
    if (idLanguage !== undefined && idLanguage !== wanted)
      throw datasetLanguage(path, number, idLanguage, wanted);
    return toTask(withDeclaration(path, number, row, wanted), wanted);
  });
}

interface WholeRow extends Row {
  readonly declaration: string;
}

/** Splits solutions that are whole programs. */
function withDeclaration(path: string, number: number, row: Row, language: Language): WholeRow {
  const { declaration, buggy_solution: buggy, canonical_solution: canonical } = row;
  if (declaration !== undefined) return { ...row, declaration };
  const derived = declarationOf(buggy, row.entry_point, language);
  if (derived === null) throw datasetNoDeclaration(path, number, row.entry_point);
  const fixed = canonical ? declarationOf(canonical, row.entry_point, language) : null;
  return {
    ...row,
    declaration: derived,
    buggy_solution: buggy.slice(derived.trimEnd().length).replace(/^[ \t]*\n/, ''),
    canonical_solution:
      fixed && canonical ? canonical.slice(fixed.trimEnd().length).replace(/^[ \t]*\n/, '') : canonical,
  };
}

function toTask(row: WholeRow, language: Language): Task {
  const declaration = wholeDeclaration(row, language);
  return {
    id: row.task_id,
    language,
    entryPoint: declaredName(row.entry_point, declaration),
    declaration,
    docstring: row.docstring ?? '',
    buggy: declaration + row.buggy_solution,
    canonical: row.canonical_solution ? declaration + row.canonical_solution : '',
    tests: joined(row.test_setup, row.test),
    exampleTests: exampleTests(row),
    bugType: bugTypes.find((type): type is BugType => type === row.bug_type) ?? null,
    ...(row.prompt
      ? {
          published: {
            prompt: row.prompt,
            declaration: row.declaration,
            tests: row.test,
            entryPoint: row.entry_point,
          },
        }
      : {}),
  };
}

/** Four Go tasks of HumanEvalPack call helpers that only the column `prompt` has. */
function goDeclaration(row: WholeRow): string {
  const helpers = (row.prompt ?? '').match(/^func \w+\([\s\S]*?^\}\n/gm) ?? [];
  const missing = helpers.filter(text => !row.declaration.includes(text.slice(0, text.indexOf('('))));
  return joined(row.import, missing.join('\n') + row.declaration);
}

function wholeDeclaration(row: WholeRow, language: Language): string {
  if (language === 'go') return goDeclaration(row);
  return language === 'cpp' ? withoutBody(row.declaration) : row.declaration;
}

/** Task 38 of HumanEvalPack's C++ file has the beginning of the body in its declaration, and in its solutions again. */
function withoutBody(declaration: string): string {
  const end = functionHeaders(declaration).at(-1)?.end;
  if (end === undefined || declaration.slice(end).trim() === '') return declaration;
  return `${declaration.slice(0, end)}\n`;
}

function joined(setup: string | null | undefined, code: string): string {
  return setup ? `${setup}\n${code}` : code;
}

/** HumanEvalPack's Rust file contains «None» if there are no example tests. */
function exampleTests(row: Row): string {
  const tests = row.example_test ?? '';
  if (tests === '' || tests === 'None') return '';
  return joined(row.test_setup, tests);
}

/**
 * Task 114 of HumanEvalPack's JavaScript and Java files spells its entry point in another case than its code, and task
 * 156 of the C++ file lacks a letter.
 */
function declaredName(entryPoint: string, declaration: string): string {
  const longer = new RegExp(`\\b${literalPattern(entryPoint)}\\w*`).exec(declaration)?.[0];
  if (longer !== undefined)
    return new RegExp(`\\b${literalPattern(entryPoint)}\\b`).test(declaration) ? entryPoint : longer;
  const start = declaration.toLowerCase().indexOf(entryPoint.toLowerCase());
  return start === -1 ? entryPoint : declaration.slice(start, start + entryPoint.length);
}

/** The prefixes of HumanEvalPack's ids, in lower case. */
const idPrefixes: ReadonlyMap<string, Language> = new Map([
  ['python', 'python'],
  ['javascript', 'js'],
  ['java', 'java'],
  ['go', 'go'],
  ['cpp', 'cpp'],
  ['rust', 'rust'],
]);

function languageOfId(id: string): Language | undefined {
  return idPrefixes.get(id.slice(0, Math.max(0, id.indexOf('/'))).toLowerCase());
}

function languageOfFirst(rows: readonly RawRow[]): Language | undefined {
  const id = z.object({ task_id: z.string() }).safeParse(rows[0]?.value);
  return id.success ? languageOfId(id.data.task_id) : undefined;
}

function parseRow(path: string, number: number, value: unknown, mapping: ColumnMapping): Row {
  const parsed = rowSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const column = String(parsed.error.issues[0]?.path[0] ?? '');
  const content = (value as Record<string, unknown>)[column];
  if (content === undefined) {
    const missing = missingColumns(value);
    throw datasetColumnMissing(path, number, missing, suggestedMapping(value, columns, mapping));
  }
  throw datasetColumnType(path, number, column, problemOf(column, content));
}

function problemOf(column: string, value: unknown): string {
  if (typeof value !== 'string') return `is ${kindOf(value)}, not a string`;
  if (value === '') return 'is empty';
  return column === 'entry_point' ? 'is not the name of a function' : 'is too long';
}

function missingColumns(row: unknown): string[] {
  const required = columns.filter(
    column => !rowSchema.shape[column as keyof Row].safeParse(undefined).success,
  );
  return required.filter(column => Object(row)[column] === undefined);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'bigint' ? 'a number' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}

/** Our column by the file's: `test` → `test_code`. */
type ColumnMapping = ReadonlyMap<string, string>;

/** `test=test_code,docstring=question`; null if it is anything else or names a column that does not exist. */
function parseMapping(text: string, columnNames: readonly string[]): ColumnMapping | null {
  const pairs = text.split(',').map(pair => pair.split('=').map(name => name.trim()));
  const isSound = pairs.every(
    ([ours = '', theirs = '', ...more]) => columnNames.includes(ours) && theirs !== '' && more.length === 0,
  );
  const mapping = new Map(pairs.map(([ours = '', theirs = '']) => [ours, theirs]));
  return isSound && mapping.size === pairs.length ? mapping : null;
}

/** The row with our column names; a mapped column takes the place of one that has our name. */
function renamedRow(value: unknown, mapping: ColumnMapping): unknown {
  if (mapping.size === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const row = value as Readonly<Record<string, unknown>>;
  return { ...row, ...Object.fromEntries([...mapping].map(([ours, theirs]) => [ours, row[theirs]])) };
}

/** What `--columns` should be for a row that lacks some of our columns; null if no other name is known. */
function suggestedMapping(
  row: unknown,
  columnNames: readonly string[],
  mapping: ColumnMapping,
): string | null {
  const names = Object.keys(Object(row));
  const pairs = columnNames.flatMap(ours => {
    const mapped = mapping.get(ours);
    if (mapped !== undefined && names.includes(mapped)) return [`${ours}=${mapped}`];
    if (names.includes(ours)) return [];
    const theirs = (otherNames[ours] ?? []).flatMap(other => names.find(name => plain(name) === other) ?? []);
    return theirs[0] === undefined ? [] : [`${ours}=${theirs[0]}`];
  });
  return pairs.length === 0 ? null : pairs.join(',');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The likeliest first; in lower case, letters only. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  task_id: ['taskid', 'id', 'problemid', 'questionid', 'name'],
  docstring: ['question', 'description', 'problem', 'instruction', 'text'],
  buggy_solution: ['buggy', 'buggycode', 'buggyfunction', 'bug', 'incorrect', 'code'],
  canonical_solution: [
    'solution',
    'fixed',
    'fixedcode',
    'correct',
    'correctcode',
    'reference',
    'groundtruth',
  ],
  entry_point: ['entrypoint', 'functionname', 'funcname', 'fnname', 'function'],
  test: ['tests', 'testcode', 'unittests', 'testcases', 'assertions'],
  example_test: ['exampletests', 'publictests'],
  bug_type: ['bugtype', 'bugkind'],
};

/**
 * A whole program's part up to the body of its entry point, for rows without a declaration; null if the program does
 * not define it.
 */
export function declarationOf(program: string, entryPoint: string, language: Language): string | null {
  const name = new RegExp(`(?<![\\w$])${literalPattern(entryPoint)}(?![\\w$])`);
  if (language === 'python') {
    const header = new RegExp(
      `^[ \\t]*(?:async[ \\t]+)?def[ \\t]+${literalPattern(entryPoint)}[ \\t]*\\([\\s\\S]*?\\)[^\\n:]*:[ \\t]*(?:#[^\\n]*)?\\n`,
      'm',
    ).exec(program);
    return header && program.slice(0, header.index + header[0].length);
  }
  const depth = language === 'java' ? 1 : 0;
  const header = functionHeaders(program, depth).findLast(({ text }) => name.test(text));
  return header ? `${program.slice(0, header.end)}\n` : null;
}
