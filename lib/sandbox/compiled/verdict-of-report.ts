import type { Verdict } from '../../core/verdict.ts';
import type { JudgeReport } from './judge-report.ts';

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
