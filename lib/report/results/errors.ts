import { HefixError, reason } from '../../core/errors.ts';
import { pathHint } from '../../files/paths.ts';

export function outExists(path: string): HefixError {
  return new HefixError(
    'OUT_EXISTS',
    `${path} already holds records.`,
    'Add --resume to continue it, or choose another --out.',
  );
}

export function recordsNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'RECORDS_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    pathHint(path),
    cause,
  );
}

export function recordInvalid(path: string, line: number, problem: string): HefixError {
  return new HefixError(
    'RECORD_INVALID',
    `${path}, line ${line}, is not a record of a run: ${problem}.`,
    'Remove the line, or give a results file.',
  );
}

/** `inProgress`: whether a run is still writing the file. */
export function recordsEmpty(path: string, inProgress: boolean): HefixError {
  return new HefixError(
    'RECORDS_EMPTY',
    `${path} holds no records${inProgress ? ' yet' : ''}.`,
    inProgress ? 'Wait until its run has finished a task.' : 'Give a results file.',
  );
}

export function recordRepeated(path: string, line: number, name: string): HefixError {
  return new HefixError(
    'RECORD_REPEATED',
    `${path}, line ${line}, records ${name} a second time.`,
    'Give a results file as a run wrote it; hefix merge joins several.',
  );
}

export function recordsOfOtherFormat(path: string, format: number, supported: number): HefixError {
  return new HefixError(
    'RECORDS_OF_OTHER_FORMAT',
    `${path} has format ${format}, and this version of hefix reads ${supported}.`,
    'Use the version of hefix that wrote it; the manifest names it.',
  );
}

export function manifestUnusable(path: string, problem: string): HefixError {
  return new HefixError(
    'MANIFEST_UNUSABLE',
    `The manifest ${path}, which describes the run, ${problem}.`,
    'Restore it, or start over with another --out.',
  );
}

export function resumeMismatch(path: string, subject: string, before: string, now: string): HefixError {
  return new HefixError(
    'RESUME_MISMATCH',
    `${path} was written with ${subject} ${before}, and this run has ${now}.`,
    'Resume with the same settings, or start over with another --out.',
  );
}
