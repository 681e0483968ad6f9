/** Whether the operating system refused a call: the disk is full, a file may not be written. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
