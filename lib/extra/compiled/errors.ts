import { HefixError } from '../../core/errors.ts';

/** A compiler that is not on the PATH; `packages` are Debian's. */
export function toolchainMissing(tool: string, language: string, packages: string): HefixError {
  return new HefixError(
    'TOOLCHAIN_MISSING',
    `${language} candidates are compiled with ${tool}, which is not on the PATH.`,
    `Install it, on Debian with apt-get install ${packages}.`,
  );
}

/** `version` and `needed` are versions. */
export function toolchainTooOld(tool: string, version: string, needed: string): HefixError {
  return new HefixError(
    'TOOLCHAIN_TOO_OLD',
    `${tool} has the version ${version}; the sandbox needs ${needed} or newer.`,
    'Install a newer one and put it first on the PATH.',
  );
}

export function toolchainFailed(tool: string, detail: string, cause?: unknown): HefixError {
  return new HefixError(
    'TOOLCHAIN_FAILED',
    `${tool} could not compile the parts of its library that hefix needs: ${detail}.`,
    'Check that the toolchain is installed completely; hefix doctor lists it.',
    cause,
  );
}

/** Tests and candidate of a compiled language are always two programs. */
export function judgeUnsupported(language: string): HefixError {
  return new HefixError(
    'JUDGE_UNSUPPORTED',
    `Candidates in ${language} cannot be judged in one process with the tests.`,
    'Leave --judge out.',
  );
}
