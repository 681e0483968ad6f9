import { HefixError, reason, SEE_HELP } from '../lib/core/errors.ts';
import { pathHint } from '../lib/files/paths.ts';

export function datasetUnknown(name: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'DATASET_UNKNOWN',
    `There is no dataset named ${JSON.stringify(name)}.`,
    nearest === undefined ? 'hefix verify --help names the bundled ones.' : `Did you mean ${nearest}?`,
  );
}

/** A repository on the hub without a file that hefix can read. */
export function datasetNoFiles(id: string, branches: string): HefixError {
  return new HefixError(
    'DATASET_NO_FILES',
    `${id} has no .parquet, .jsonl or .jsonl.gz file on ${branches}.`,
    'Choose another dataset, or convert it and give the file with --dataset-path.',
  );
}

export function datasetLanguageMissing(id: string, wanted: string, languages: readonly string[]): HefixError {
  return new HefixError(
    'DATASET_LANGUAGE',
    `${id} has no ${wanted} tasks; it has ${languages.join(', ')}.`,
    `Choose with --lang ${languages[0] ?? ''}.`,
  );
}

/** `choices`: the first file of each table. */
export function datasetAmbiguous(id: string, choices: readonly string[]): HefixError {
  const more = choices.length > 4 ? ` and ${choices.length - 4} more` : '';
  return new HefixError(
    'DATASET_AMBIGUOUS',
    `${id} has several sets of rows: ${choices.slice(0, 4).join(', ')}${more}.`,
    'Download the one you want and give its path with --dataset-path.',
  );
}

export function datasetNotFound(path: string): HefixError {
  return new HefixError('DATASET_NOT_FOUND', `There is no dataset file ${path}.`, pathHint(path));
}

export function datasetNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'DATASET_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    'Check the path.',
    cause,
  );
}

export function datasetExtension(path: string, extensions: readonly string[]): HefixError {
  return new HefixError(
    'DATASET_EXTENSION',
    `hefix cannot read tasks from ${path}: it does not know this kind of file.`,
    `Give a file whose name ends in ${extensions.join(', ')}.`,
  );
}

export function datasetEmpty(path: string): HefixError {
  return new HefixError('DATASET_EMPTY', `${path} holds no tasks.`, 'Give a file with at least one row.');
}

export function datasetTooLarge(path: string, size: string, limit: string): HefixError {
  return new HefixError(
    'DATASET_TOO_LARGE',
    `${path} has ${size}, more than the ${limit} that hefix reads.`,
    'Split it into smaller files.',
  );
}

/** The file's format does not match its extension, or it is damaged. */
export function datasetCorrupt(path: string, problem: string, cause?: unknown): HefixError {
  return new HefixError('DATASET_CORRUPT', `${path} ${problem}.`, 'Download or write the file again.', cause);
}

export function datasetJson(path: string, line: number, problem: string): HefixError {
  return new HefixError(
    'DATASET_JSON',
    `${path}, line ${line}, is not a JSON object: ${problem}.`,
    'Correct or remove that line.',
  );
}

/** `suggested`: the value of `--columns` that fits the row; null if none is known. */
export function datasetColumnMissing(
  path: string,
  row: number,
  columns: readonly string[],
  suggested: string | null,
): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${path}, row ${row}, has no column${columns.length === 1 ? '' : 's'} ${columns.join(', ')}.`,
    suggested === null
      ? 'Rows need the columns of HumanEvalPack; --columns maps other names, such as --columns test=test_code.'
      : `Rows need the columns of HumanEvalPack. To map them, add --columns ${suggested}`,
  );
}

/** A row without a declaration whose program does not define the entry point. */
export function datasetNoDeclaration(path: string, row: number, entryPoint: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${path}, row ${row}, has no column declaration, and its buggy_solution does not define ${entryPoint}.`,
    'Give a declaration (imports, helpers and the header) with a body, or a whole program as buggy_solution.',
  );
}

export function columnsInvalid(value: string, columns: readonly string[]): HefixError {
  return new HefixError(
    'OPTION_INVALID',
    `--columns is ${JSON.stringify(value)}, expected pairs such as test=test_code, with ${columns.join(', ')} on the left.`,
    SEE_HELP,
  );
}

export function datasetColumnType(path: string, row: number, column: string, problem: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_TYPE',
    `${path}, row ${row}, column ${column}, ${problem}.`,
    'Rows need the columns of HumanEvalPack, all of them strings.',
  );
}

export function datasetDuplicateId(path: string, row: number, id: string, first: number): HefixError {
  return new HefixError(
    'DATASET_DUPLICATE_ID',
    `${path}, row ${row}, has the task_id ${JSON.stringify(id)} of row ${first}.`,
    'Give every task its own id.',
  );
}

export function datasetLanguage(path: string, row: number, language: string, wanted: string): HefixError {
  return new HefixError(
    'DATASET_LANGUAGE',
    `${path}, row ${row}, is a ${language} task where ${wanted} was expected.`,
    `Give --lang ${language}, or a file of ${wanted} tasks.`,
  );
}
