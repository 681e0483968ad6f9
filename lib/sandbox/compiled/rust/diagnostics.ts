import type { Complaint } from '../build-fault.ts';
import type { BuildResult } from '../builder.ts';
import type { CandidateEnd } from '../toolchain.ts';
import { candidateFile } from './sources.ts';

/** The first error in the candidate, or else in a generated file: `candidate.rs:3:5: error[E0425]: …`. */
export function firstComplaint(result: BuildResult): Complaint | null {
  const text = 'failed' in result ? result.failed.text : '';
  const found = [...text.matchAll(/^(?:.*\/)?(\w+\.rs):(\d+):\d+: error(?:\[\w+\])?: (.*)$/gm)].map(
    ([, file = '', line = '', message = '']) => ({ file, line: Number(line), message }),
  );
  // The linker knows no lines.
  const [missing] = /undefined reference to .*/.exec(text) ?? [];
  if (missing !== undefined) found.push({ file: candidateFile, line: 1, message: missing });
  return found.find(({ file }) => file === candidateFile) ?? found[0] ?? null;
}

/** What the runtime writes before it aborts. */
export function explainRustEnd(stderr: string): CandidateEnd | null {
  if (/has overflowed its stack/.test(stderr))
    return { kind: 'raised', exception: { type: 'abort', message: 'stack overflow' } };
  if (/memory allocation of \d+ bytes failed/.test(stderr)) return { kind: 'memory' };
  return null;
}
