import { z } from 'zod';
import type { Verdict } from '../../core/verdict.ts';
import { takeFrames } from './frames.ts';

/** A judge's report, read from its frames; empty texts are left out. */
const reportSchema = z.object({
  /** `counted`: the message has the numbers of assertions that pass and fail, and lines that fail. */
  kind: z.enum(['started', 'passed', 'failed', 'raised', 'not-serializable', 'lost', 'invalid', 'counted']),
  /** Line of the tests, 1-based. */
  line: z.coerce.number().int().positive().optional(),
  /** The call in progress, or the call whose result was compared. */
  call: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** Set for an exception or a panic; `partial` if some counts are missing. */
  type: z.string().optional(),
  message: z.string().optional(),
  /** The candidate's line that raised, or the addresses of its code on the stack, innermost first. */
  exceptionLine: z
    .union([z.string().regex(/^0x[0-9a-f]+(?: 0x[0-9a-f]+)*$/), z.coerce.number().int().positive()])
    .optional(),
});
export type JudgeReport = z.infer<typeof reportSchema>;

const fields = Object.keys(reportSchema.shape);

/** For readReport. */
export function parseReport(frame: Buffer): JudgeReport | 'started' | null {
  const texts = takeFrames(frame).frames.map(text => text.toString('utf8'));
  const entries = fields.map((name, index) => [name, texts[index]]).filter(([, text]) => text);
  const parsed = reportSchema.safeParse(Object.fromEntries(entries));
  if (!parsed.success || texts.length !== fields.length) return null;
  return parsed.data.kind === 'started' ? 'started' : parsed.data;
}

/** The messages of verdicts, worded like the Python judge's. */
export function verdictOfReport(report: JudgeReport, tests: string): Verdict {
  const test = testOf(report, tests);
  const { call, expected, actual, message, exceptionLine } = report;
  const line = typeof exceptionLine === 'number' ? exceptionLine : undefined;
  switch (report.kind) {
    case 'passed':
      return { kind: 'passed', message: 'All tests passed.' };
    case 'raised': {
      const type = report.type ?? 'exception';
      const exception = { type, message: message ?? '', ...(line === undefined ? {} : { line }) };
      const where = line === undefined ? '' : ` (line ${line})`;
      const said = message ? `: ${message}` : '';
      return {
        kind: 'raised',
        message: `${subjectOf(report, 'The tests')} raised ${type}${said}${where}.`,
        ...test,
        exception,
      };
    }
    case 'not-serializable':
      return {
        kind: 'not-serializable',
        message: `${subjectOf(report)} returned ${message ?? 'a value'}, which cannot be sent to the tests.`,
        ...test,
      };
    default: {
      const values = expected === undefined || actual === undefined ? {} : { expected, actual };
      const outcome = call ? `${sentence(call)} returned ${actual}` : `The tests got ${actual}`;
      const compared = expected !== undefined && actual !== undefined;
      const sentences = compared
        ? `${outcome}, but the tests want ${expected}.`
        : (message ?? 'An assertion failed.');
      return { kind: 'failed', message: sentences, ...test, ...values };
    }
  }
}

/** The subject of a message: the call, or the tests. */
export function subjectOf({ call }: Pick<JudgeReport, 'call'>, otherwise = 'The candidate'): string {
  return call ? sentence(call) : otherwise;
}

/** Shortens long calls. */
export function sentence(call: string): string {
  return call.length > 200 ? `${call.slice(0, 200)}…` : call;
}

/** The test line that a report names. */
export function testOf(report: Pick<JudgeReport, 'line'>, tests: string): Pick<Verdict, 'test'> {
  if (report.line === undefined) return {};
  const source = tests.split('\n')[report.line - 1];
  return source === undefined ? {} : { test: { line: report.line, source: source.trim() } };
}
