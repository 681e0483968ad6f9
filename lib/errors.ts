/**
 * Every error a user can cause or act on: one sentence on what is wrong and where, one on what to do.
 * Each kind of error is one function here, so that all sentences can be read in one place.
 * Codes are stable; scripts may match on them.
 */
export class HefixError extends Error {
  override readonly name = 'HefixError';
  /** Stable, upper case: `DATASET_COLUMN_MISSING`. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

// Options and commands

// Datasets

// Models

// Sandboxes

// Runs and records
