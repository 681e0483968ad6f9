import type { Complaint } from '../build-fault.ts';
import type { BuildResult } from '../builder.ts';
import type { CandidateEnd } from '../toolchain.ts';

/** The compiler's first error: `candidate.go:3:2: declared and not used: x`. */
export function firstComplaint(result: BuildResult): Complaint | null {
  const text = 'failed' in result ? result.failed.text : '';
  const match = /^(?:.*\/)?(\w+\.go):(\d+)(?::\d+)?: (.*)$/m.exec(text);
  if (!match) return null;
  const [, file = '', line = '', message = ''] = match;
  return { file, line: Number(line), message: message.replace(/^syntax error: /, '') };
}

/** What the runtime writes before it ends a process: `panic: …` for a goroutine, or `fatal error: …`. */
export function explainGoEnd(stderr: string, signal: NodeJS.Signals | null): CandidateEnd | null {
  const [, kind, message = ''] =
    /^(?:runtime: goroutine stack exceeds|(panic|fatal error): (.*)$)/m.exec(stderr) ?? [];
  const line = /candidate\.go:(\d+)/.exec(stderr)?.[1];
  const at = line === undefined ? {} : { line: Number(line) };
  if (/goroutine stack exceeds|stack overflow/.test(stderr))
    return { kind: 'raised', exception: { type: 'fatal error', message: 'stack overflow', ...at } };
  if (/out of memory|cannot allocate memory/.test(stderr)) return { kind: 'memory' };
  if (kind === undefined || signal === 'SIGKILL') return null;
  return { kind: 'raised', exception: { type: kind, message, ...at } };
}
