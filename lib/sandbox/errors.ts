import { HefixError, reason } from '../core/errors.ts';

export function pythonMissing(command: string, cause: unknown): HefixError {
  return new HefixError(
    'PYTHON_MISSING',
    `Python could not be started as ${command}: ${reason(cause)}.`,
    'Install Python 3.9 or newer and put python3 on the PATH.',
    cause,
  );
}

export function pythonTooOld(executable: string, version: string): HefixError {
  return new HefixError(
    'PYTHON_TOO_OLD',
    `${executable} is Python ${version}; the sandbox needs 3.9 or newer.`,
    'Install a newer Python and put it first on the PATH as python3.',
  );
}

/** `implementation` is Python's own name of it, such as `pypy`. */
export function pythonNotCPython(executable: string, implementation: string): HefixError {
  const name = implementation === 'pypy' ? 'PyPy' : implementation;
  return new HefixError(
    'PYTHON_NOT_CPYTHON',
    `${executable} is ${name}; the sandbox needs CPython 3.9 or newer.`,
    'Put CPython first on the PATH as python3.',
  );
}

export function sandboxFailed(detail: string, cause?: unknown): HefixError {
  return new HefixError(
    'SANDBOX_FAILED',
    `The sandbox could not run the candidate: ${detail}.`,
    'The candidate was not judged. Run hefix doctor to check this system.',
    cause,
  );
}

/** `why` is the error of Node's loader, which for a binary of another Node.js is a paragraph. */
export function isolatedVmMissing(version: number, why: string): HefixError {
  const isOfOtherNode = why.includes('NODE_MODULE_VERSION');
  const cause = isOfOtherNode ? 'it was installed for another version of Node.js' : why;
  return new HefixError(
    'ISOLATED_VM_MISSING',
    `JavaScript candidates run in isolated-vm, which cannot be loaded: ${cause}.`,
    `Run npm install isolated-vm@${version}, or npm test in a checkout; without a binary for this system it needs a C++ compiler and Python.`,
  );
}

export function sandboxClosed(): HefixError {
  return new HefixError('SANDBOX_CLOSED', 'The sandbox was closed.', 'Create a new one.');
}

export function languageNotInSandbox(language: string, sandbox: string): HefixError {
  return new HefixError(
    'LANGUAGE_UNSUPPORTED',
    `The ${sandbox} sandbox cannot run ${language}.`,
    'Choose another sandbox (--sandbox process runs every language) or another language with --lang.',
  );
}

/** `problem` continues "The tests": "assert nothing", "never call add", "do not parse: …". */
export function testsInvalid(problem: string, cause?: unknown): HefixError {
  return new HefixError(
    'TESTS_INVALID',
    `The tests ${problem}.`,
    'The candidate was not judged. Correct the tests.',
    cause,
  );
}

const ISOLATION_HINT =
  'Run hefix doctor to check this system; apt-get install bubblewrap gives the strongest level.';

export function noSandboxOnWindows(): HefixError {
  return new HefixError(
    'ISOLATION_UNAVAILABLE',
    'Windows itself has no sandbox that hefix can use.',
    'Run hefix in WSL (wsl --install), where everything works as on Linux.',
  );
}

export function temporaryFolderUnusable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'TEMPORARY_FOLDER_UNUSABLE',
    `The folder for temporary files, ${folder}, cannot be written to: ${reason(cause)}.`,
    'Set TMPDIR to a folder that exists and can be written to.',
    cause,
  );
}

/** `reasons`: for each level that was tried, why it does not work. */
export function isolationUnavailable(wanted: string | undefined, reasons: readonly string[]): HefixError {
  const subject =
    wanted === undefined ? 'No isolation level works' : `The isolation level ${wanted} does not work`;
  return new HefixError(
    'ISOLATION_UNAVAILABLE',
    `${subject} on this system (${reasons.join('; ')}).`,
    ISOLATION_HINT,
  );
}

export function isolationTooWeak(reasons: readonly string[]): HefixError {
  const why = reasons.length ? ` (${reasons.join('; ')})` : '';
  return new HefixError(
    'ISOLATION_TOO_WEAK',
    `--require-isolation was given, but only the ulimit level works on this system${why}.`,
    ISOLATION_HINT,
  );
}

/** `folders`: those that were tried. */
export function programsNotStarted(folders: readonly string[], cause?: unknown): HefixError {
  return new HefixError(
    'PROGRAMS_NOT_STARTED',
    `Programs that were built cannot be started in ${folders.join(' or ')}.`,
    'Set TMPDIR or HEFIX_CACHE to a folder that can be written to and is mounted without noexec.',
    cause,
  );
}

export function pathUnmountable(path: string): HefixError {
  return new HefixError(
    'PATH_UNMOUNTABLE',
    `The name ${JSON.stringify(path)} holds a control character, such as a line break, so that no jail can contain it.`,
    'Rename or remove it.',
  );
}
