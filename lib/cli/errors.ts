import { didYouMean, HefixError, SEE_HELP } from '../core/errors.ts';

export function optionMissingValue(option: string): HefixError {
  return new HefixError('OPTION_VALUE_MISSING', `${option} needs a value.`, SEE_HELP);
}

/** `first`: how the option was written before, where it has several names. */
export function optionRepeated(option: string, first = option): HefixError {
  const message =
    option === first
      ? `${option} was given more than once.`
      : `${first} and ${option} are the same option, which was given more than once.`;
  return new HefixError('OPTION_REPEATED', message, 'Give it once.');
}

export function optionOfAnother(option: string, command: string, owners: readonly string[]): HefixError {
  return new HefixError(
    'OPTION_UNKNOWN',
    `hefix ${command} has no option ${option}.`,
    `It is an option of ${owners.map(owner => `hefix ${owner}`).join(', ')}.`,
  );
}

export function commandUnknown(command: string, nearest: string | undefined): HefixError {
  return new HefixError('COMMAND_UNKNOWN', `There is no command ${command}.`, didYouMean(nearest));
}

/** `option`: the option whose value the argument looks like. */
export function argumentIsValue(argument: string, option: string): HefixError {
  return new HefixError(
    'COMMAND_UNKNOWN',
    `There is no command ${argument}.`,
    `Did you mean ${option} ${argument}?`,
  );
}

/** `usage`: the command's arguments; undefined if it takes none. `option`: the option whose value the argument looks like. */
export function argumentUnexpected(
  argument: string,
  command: string,
  usage?: string,
  option?: string,
): HefixError {
  return new HefixError(
    'ARGUMENT_UNEXPECTED',
    `hefix ${command} takes ${usage ?? 'no argument'}, but was given ${JSON.stringify(argument)}${usage ? ' too' : ''}.`,
    didYouMean(option && `${option} ${argument}`),
  );
}

export function argumentTooLong(argument: string, limit: number): HefixError {
  return new HefixError(
    'ARGUMENT_TOO_LONG',
    `${argument.slice(0, 40)}… has ${argument.length} characters; hefix reads at most ${limit}.`,
    'Put long lists into a file: hefix.config.json holds options.',
  );
}

export function argumentMissing(command: string, usage: string): HefixError {
  return new HefixError('ARGUMENT_MISSING', `hefix ${command} needs ${usage}.`, SEE_HELP);
}

/** For an argument that is not one of those in `usage`. */
export function argumentUnknown(argument: string, command: string, usage: string): HefixError {
  const message = `hefix ${command} takes ${usage}, but was given ${JSON.stringify(argument)}.`;
  return new HefixError('ARGUMENT_UNEXPECTED', message, SEE_HELP);
}

export function resumeNothing(folder: string): HefixError {
  return new HefixError(
    'RESUME_NOTHING',
    `There is no unfinished run with these options in ${folder}/.`,
    'Name the file to continue with --out, or leave out --resume.',
  );
}

/** The user said no, or there is nobody to ask. */
export function resumeUnconfirmed(path: string, done: string): HefixError {
  return new HefixError(
    'RESUME_UNCONFIRMED',
    `The last unfinished run with these options is ${path}, in which ${done}.`,
    `To continue it, add --yes or --out ${path}.`,
  );
}
