import { z } from 'zod';
import { HefixError, reason } from '../../core/errors.ts';
import { errorOfSystem } from '../../files/errors.ts';

export function inputTooLarge(bytes: number, limit: number): HefixError {
  return new HefixError(
    'INPUT_TOO_LARGE',
    `Code and tests have ${Math.ceil(bytes / 1024)} KiB together, and this server accepts ${limit / 1024}.`,
    'Send the function with its helpers only, or start hefix mcp with a larger --max-size.',
  );
}

export function pathNotAllowed(path: string, folders: readonly string[]): HefixError {
  return new HefixError(
    'PATH_NOT_ALLOWED',
    `${path} is not below a folder that this server may read.`,
    `It may read ${folders.join(', ')}; hefix mcp --allow names others.`,
  );
}

export function pathTooLong(): HefixError {
  return new HefixError('INPUT_INVALID', 'The path has more than 4096 bytes.', 'Give a path that exists.');
}

export function timeUp(seconds: number): HefixError {
  return new HefixError(
    'TIME_UP',
    `The call took longer than ${seconds} seconds and was stopped.`,
    'Send less code, ask for fewer iterations, or start hefix mcp with a larger --time.',
  );
}

export function serverBusy(waiting: number): HefixError {
  return new HefixError(
    'SERVER_BUSY',
    `${waiting} calls are already waiting.`,
    'Call again when one has ended, or start hefix mcp with more --workers.',
  );
}

export function serverClosed(): HefixError {
  return new HefixError('SERVER_CLOSED', 'The server was closed.', 'Start it again.');
}

export function testsOrExamples(): HefixError {
  return new HefixError('INPUT_INVALID', 'Tests and examples cannot be combined.', 'Leave one of them out.');
}

const toolErrorSchema = z.object({
  code: z.string().describe('Stable, upper case: TESTS_INVALID, ISOLATION_UNAVAILABLE, INPUT_TOO_LARGE.'),
  message: z.string().describe('What is wrong.'),
  hint: z.string().describe('What to do about it.'),
});
export type ToolError = z.infer<typeof toolErrorSchema>;

/** The output of a tool: `result`, or `error` if nothing could be judged; the other is null. */
export function outputOf<const Result extends z.ZodType>(result: Result) {
  return z.object({
    result: result.nullable(),
    error: toolErrorSchema.nullable().describe('Why there is no result; says nothing about the code.'),
  });
}

/** @param cancelled the client's own signal */
export function toolError(error: unknown, cancelled?: AbortSignal): ToolError {
  if (cancelled?.aborted) {
    return { code: 'CANCELLED', message: 'The call was cancelled.', hint: 'Call again.' };
  }
  const hefixError = errorOfSystem(error) ?? error;
  if (hefixError instanceof HefixError) {
    const { code, message, hint } = hefixError;
    return { code, message, hint: hints[code] ?? hint };
  }
  return {
    code: 'INTERNAL',
    message: `hefix itself failed: ${reason(error)}.`,
    hint: 'This is a bug in hefix.',
  };
}

/** Hints for the command line whose option exists as a parameter of a call. */
const hints: Readonly<Record<string, string>> = {
  TESTS_INVALID: 'Correct the tests; nothing was judged.',
  JUDGE_UNSUPPORTED: 'Call again with judge "auto".',
  CODE_WITHOUT_FUNCTION: 'Send the whole function, and name the one to repair with entry_point.',
};
