import { HefixError, reason } from '../core/errors.ts';
import { pathHint } from './paths.ts';

export function fileNotReadable(option: string, path: string, cause: unknown): HefixError {
  return new HefixError(
    'FILE_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    pathHint(path, `Give a file that exists with ${option}.`),
    cause,
  );
}

export function outNotWritable(path: string, cause: unknown, option = '--out'): HefixError {
  return new HefixError(
    'OUT_NOT_WRITABLE',
    `${path} cannot be written: ${reason(cause)}.`,
    `Choose another path with ${option}.`,
    cause,
  );
}

export function outLocked(path: string, holder: string): HefixError {
  return new HefixError(
    'OUT_LOCKED',
    `${path} is being written by another run (${holder}).`,
    `Wait for it, choose another --out, or remove ${path}.lock if that run has ended.`,
  );
}

/** Whether the operating system refused a call: the disk is full, a file may not be written. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The user's error behind a refusal of the operating system that any call may meet; undefined for others. */
export function errorOfSystem(error: unknown): HefixError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'uv_cwd') return workingFolderMissing(error);
  if (code === 'ENAMETOOLONG') return pathTooLong(error);
  return code === 'EMFILE' || code === 'ENFILE' ? tooManyFiles(error) : undefined;
}

function workingFolderMissing(cause: unknown): HefixError {
  return new HefixError(
    'WORKING_FOLDER_MISSING',
    'The working folder does not exist any more.',
    'Change to another folder with cd.',
    cause,
  );
}

function pathTooLong(cause: unknown): HefixError {
  return new HefixError(
    'PATH_TOO_LONG',
    'A path is longer than the operating system allows.',
    'Give a shorter one; on Linux, a name has at most 255 bytes, and a path 4,095.',
    cause,
  );
}

export function tooManyFiles(cause?: unknown): HefixError {
  return new HefixError(
    'TOO_MANY_FILES',
    'The operating system allows no more open files.',
    'Raise the limit (ulimit -n 1024) or lower --workers.',
    cause,
  );
}

export function stateNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'STATE_NOT_WRITABLE',
    `Task states cannot be saved in ${folder}: ${reason(cause)}.`,
    'Choose another folder with --save-state.',
    cause,
  );
}
