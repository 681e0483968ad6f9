import { HefixError } from '../core/errors.ts';

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
