import { didYouMean, HefixError, SEE_HELP } from '../core/errors.ts';

export function optionInvalid(option: string, value: unknown, expected: string): HefixError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const given = value === true ? 'was given' : `is ${shown}`;
  return new HefixError('OPTION_INVALID', `${option} ${given}, expected ${expected}.`, SEE_HELP);
}

/** Two options, or an option and another option's value, that exclude each other. */
export function optionConflict(option: string, other: string, hint = 'Leave one of them out.'): HefixError {
  return new HefixError('OPTION_INVALID', `${option} and ${other} cannot be combined.`, hint);
}

/** An option that requires another. */
export function optionNeeds(option: string, other: string): HefixError {
  return new HefixError('OPTION_INVALID', `${option} requires ${other}.`, SEE_HELP);
}

export function optionRequired(option: string, command: string): HefixError {
  return new HefixError('OPTION_REQUIRED', `hefix ${command} needs ${option}.`, SEE_HELP);
}

/** `nearest` is a known option, or a sentence about the command that has it. */
export function optionUnknown(option: string, nearest: string | undefined): HefixError {
  return new HefixError('OPTION_UNKNOWN', `There is no option ${option}.`, didYouMean(nearest));
}

export function configInvalid(path: string, what: string, nearest?: string): HefixError {
  const hint = nearest === undefined ? 'See hefix --help --all for the options.' : `Did you mean ${nearest}?`;
  return new HefixError('CONFIG_INVALID', `${path} ${what}.`, hint);
}

/** For an option that a folder's own files may not set. */
export function folderNotTrusted(path: string, option: string): HefixError {
  return new HefixError(
    'FOLDER_NOT_TRUSTED',
    `${path} sets ${option}, which the files of a folder may set only after hefix trust.`,
    `Check the file and run hefix trust in its folder, or give ${option} yourself.`,
  );
}

export function reportFormUnknown(path: string): HefixError {
  return new HefixError(
    'REPORT_FORM_UNKNOWN',
    `--out is ${JSON.stringify(path)}, expected a .png, .svg or .html file.`,
    SEE_HELP,
  );
}
