/**
 * Every error that a user can cause or act on: one sentence says what is wrong and where, another what to do.
 * docs/troubleshooting.md lists them all. Codes are stable; scripts may rely on them.
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

/** The command line names the command: `See hefix run --help.` */
export const SEE_HELP = 'See hefix help.';

export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? SEE_HELP : `Did you mean ${nearest}?`;
}

/** The system's error message, as the end of a sentence: `permission denied`. */
export function reason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/^[A-Z]+: /, '').replace(/, [a-z]+ '.*$/, '');
}

/** Here, since datasets and syntax both throw it, and commands that need no syntax trees must not load them. */
export function languageUnsupported(language: string, supported: readonly string[]): HefixError {
  return new HefixError(
    'LANGUAGE_UNSUPPORTED',
    `hefix cannot run ${language} yet.`,
    `Choose --lang ${supported.slice(0, -1).join(', ')} or ${supported.at(-1)}.`,
  );
}

/** Whether this is the code of a prompt that exceeds the model's context, so that a retry would fail too. */
export function isTooLong(code: string): boolean {
  return code === 'MODEL_PROMPT_TOO_LONG' || code === 'BACKEND_CONTEXT_TOO_LONG';
}
