import { z } from 'zod';
import { assertionCountsSchema, verdictSchema } from '../../../core/verdict.ts';
import { type Reporting, readReport } from '../../process/execution.ts';
import { frame } from '../../process/messages.ts';
import type { Pair } from '../../process/pairs.ts';
import type { TaskHelpers } from '../tests/task-helpers.ts';
import { missingTest, type TestBody } from '../tests/test-bodies.ts';

/** Messages between the sandbox and the judge. */

export interface TestStatement {
  readonly line: number;
  readonly endLine: number;
  /** The source on one line, shortened. */
  readonly text: string;
}

/** Numbers refer to notes: values that the recorder receives while an assertion is evaluated. */
export interface TestAssertion {
  readonly comparisons: readonly {
    readonly kind: 'compare' | 'json' | 'distance' | 'value';
    readonly operator?: string;
    readonly result: number;
    readonly actual?: number;
    readonly expected?: number;
    readonly tolerance?: number;
    /** False under a `!`. */
    readonly wanted: boolean;
  }[];
}

export interface PreparedTests {
  /** The tests with instrumented assertions; line numbers are unchanged. */
  readonly program: string;
  /** Names that it uses and does not declare. */
  readonly names: readonly string[];
  /** If it requires the candidate: property names that it may read from it. */
  readonly members: readonly string[];
  /** Names under which they may replace something for the candidate. */
  readonly replaced: readonly string[];
  readonly statements: readonly TestStatement[];
  /** First lines of top-level statements, except for functions. */
  readonly topLines: readonly number[];
  readonly assertions: readonly TestAssertion[];
  /** By the numbers with which they are marked. */
  readonly bodies: readonly TestBody[];
  /** Statements with assertions that are counted, instead of judged; null to judge. */
  readonly counted: readonly TestStatement[] | null;
  readonly helperLines: readonly { readonly line: number; readonly endLine: number }[];
  /** Whether they throw their own errors, which counts as asserting. */
  readonly throws: boolean;
  /** Whether they can await a result of the candidate, and walk one once. */
  readonly awaits: boolean;
  readonly iterates: boolean;
  /** Whether they await at the top level. */
  readonly isAsync: boolean;
  /** Why one process has to run them together with the candidate; continues «the tests». */
  readonly needsOneProcess: string | undefined;
}

export interface Job {
  readonly candidate: string;
  readonly entryPoint: string;
  readonly tests: PreparedTests;
  readonly helpers: TaskHelpers;
  /** What the tests' random numbers are derived from: 64 hexadecimal digits. */
  readonly seed: string;
}

const testSchema = z.strictObject({ line: z.number().int(), source: z.string() });

/** From the judge to the sandbox: `started`, then the outcome. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('verdict'),
    verdict: verdictSchema,
    /** In one process: the numbers of the tests that ran. */
    ran: z.string().optional(),
  }),
  /** The judge would have to send something that is not plain data: the tests need one process. */
  z.strictObject({ kind: z.literal('isolate'), why: z.string() }),
  /** Instead of a verdict, where assertions are counted. */
  z.strictObject({ kind: z.literal('counts'), counts: assertionCountsSchema }),
  /** The candidate's process ended, or its isolate was lost, while the tests waited for it. */
  z.strictObject({
    kind: z.literal('lost'),
    why: z.enum(['memory', 'exited', 'gone']),
    /** What was running: `add(1, 2)`. */
    doing: z.string(),
    test: testSchema.optional(),
  }),
  /** The candidate's code runs from now on, so that anything that happens is a verdict. */
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('tests invalid'), what: z.string() }),
  z.strictObject({ kind: z.literal('no isolated-vm'), why: z.string() }),
  /** The candidate's process ended before it received anything. */
  z.strictObject({ kind: z.literal('not started') }),
]);
export type Report = z.infer<typeof reportSchema>;

/** Gives a new pair its job; `secret` is that of its reports, if it has one. */
export function sendJob({ channel }: Pick<Pair, 'channel'>, job: Job, secret?: string): Reporting<Report> {
  channel.write(frame(JSON.stringify({ ...job, secret })));
  return readReport(channel, body => parseReport(body.toString(), job, secret));
}

/** Null for a report without the secret, or for a pass that does not name every test. */
function parseReport(text: string, { tests }: Job, wanted?: string): Report | 'started' | null {
  try {
    const { secret, ...said } = JSON.parse(text) as Record<string, unknown>;
    const report = secret === wanted ? reportSchema.parse(said) : null;
    if (report?.kind === 'started') return 'started';
    if (wanted === undefined || report?.kind !== 'verdict' || report.verdict.kind !== 'passed') return report;
    const ran = (report.ran?.match(/\d+/g) ?? []).map(Number);
    return missingTest(tests.bodies, ran) ? null : report;
  } catch {
    return null;
  }
}
