import type { Complaint } from '../build-fault.ts';
import type { BuildResult } from '../builder.ts';
import type { CandidateEnd } from '../toolchain.ts';

/**
 * The compiler's first error: `candidate.cpp:3:2: error: 'x' was not declared in this scope`. An error in a
 * library header is reported at the line of `file` that led there, if the compiler names it.
 */
export function firstError(result: BuildResult, file: string): Complaint | null {
  const text = 'failed' in result ? result.failed.text : '';
  const match = /^([^\s:]+):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$/m.exec(text);
  if (!match) return null;
  const [, where = '', line = '', message = ''] = match;
  if (!where.includes('/')) return { file: where, line: Number(line), message: inOwnWords(message) };
  const from = new RegExp(`\\b${file.replace('.', '\\.')}:(\\d+)`).exec(text)?.[1];
  return { file: from === undefined ? where : file, line: Number(from ?? 1), message };
}

/** Hides names of generated code: `hefix::Bare<int>` is shown as `int`, `hefix_0` as the first argument. */
function inOwnWords(message: string): string {
  return message
    .replaceAll(/'hefix::Bare<([^']*)>'(?: \{aka '[^']*'\})?/g, "'$1'")
    .replaceAll(/'hefix_(\d+)'/g, (_, index: string) => `argument ${Number(index) + 1}`);
}

/** What the program that runs candidates writes before it exits. */
export function explainCppEnd(stderr: string): CandidateEnd | null {
  const [, symbol] = /^hefix: .*undefined symbol: (\S+)/m.exec(stderr) ?? [];
  if (symbol !== undefined) {
    const message = `undefined reference to ${plainName(symbol)}`;
    return { kind: 'syntax', exception: { type: 'CompileError', message } };
  }
  return /^hefix: out of memory$/m.test(stderr) ? { kind: 'memory' } : null;
}

/** `_Z6helperi` is `helper`. */
function plainName(symbol: string): string {
  const [, size, rest = ''] = /^_ZN?(\d+)(.*)$/.exec(symbol) ?? [];
  return size === undefined ? symbol : rest.slice(0, Number(size));
}
