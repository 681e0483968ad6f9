import { HefixError, reason } from '../core/errors.ts';
import { pathHint } from './nearest-path.ts';

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
