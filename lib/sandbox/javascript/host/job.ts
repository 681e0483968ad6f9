import { z } from 'zod';
import { verdictSchema } from '../../../core/verdict.ts';
import type { TaskHelpers } from './task-helpers.ts';

/** What the sandbox, the judge and the candidate's host tell each other beside values. */

export interface TestStatement {
  readonly line: number;
  readonly endLine: number;
  /** The source on one line, shortened. */
  readonly text: string;
}

/** Numbers are of notes: values that the recorder is given while an assertion is evaluated. */
export interface TestAssertion {
  readonly comparisons: readonly {
    readonly kind: 'compare' | 'json' | 'distance' | 'value';
    readonly operator?: string;
    readonly result: number;
    readonly actual?: number;
    readonly expected?: number;
    readonly tolerance?: number;
    /** False below a `!`. */
    readonly wanted: boolean;
  }[];
}

export interface PreparedTests {
  /** The tests with their assertions noted; the same lines. */
  readonly program: string;
  /** Names that it uses and does not declare. */
  readonly names: readonly string[];
  /** Names of properties, if it requires the candidate: what it may want of that. */
  readonly members: readonly string[];
  readonly statements: readonly TestStatement[];
  /** First lines of the statements at the top, without functions. */
  readonly topLines: readonly number[];
  readonly assertions: readonly TestAssertion[];
  readonly helperLines: readonly { readonly line: number; readonly endLine: number }[];
  /** They throw errors of their own, which is a way to assert. */
  readonly throws: boolean;
  /** They replace what prints. */
  readonly watchesOutput: boolean;
  readonly usesEnvironment: boolean;
  /** They await outside of functions. */
  readonly isAsync: boolean;
}

export interface Job {
  readonly candidate: string;
  readonly entryPoint: string;
  readonly tests: PreparedTests;
  readonly helpers: TaskHelpers;
}

/** Candidate's host to judge, before anything foreign runs. */
export interface Ready {
  readonly op: 'ready';
}

/** Judge to candidate's host, once that is ready. */
export interface LoadRequest {
  readonly op: 'load';
  readonly code: string;
  readonly names: readonly string[];
}

const testSchema = z.strictObject({ line: z.number().int(), source: z.string() });

/** Judge to sandbox: `started`, and then the outcome, once. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('verdict'), verdict: verdictSchema }),
  /** The candidate's process ended or its isolate was lost while the tests waited for it. */
  z.strictObject({
    kind: z.literal('lost'),
    why: z.enum(['memory', 'exited', 'gone']),
    /** What the candidate was at: `add(1, 2)`. */
    doing: z.string(),
    test: testSchema.optional(),
  }),
  /** The candidate's code is run from now on: whatever happens is a verdict. */
  z.strictObject({ kind: z.literal('started') }),
  /** Said for a judge that ended after `started` without another word. */
  z.strictObject({ kind: z.literal('judge lost') }),
  z.strictObject({ kind: z.literal('tests invalid'), what: z.string() }),
  z.strictObject({ kind: z.literal('no isolated-vm'), why: z.string() }),
  /** The candidate's process ended before it was given anything. */
  z.strictObject({ kind: z.literal('not started') }),
]);
export type Report = z.infer<typeof reportSchema>;

/** Candidate's host to judge, in place of an answer. */
export type Loss =
  | { readonly op: 'lost'; readonly why: 'memory' | 'exited' }
  | { readonly op: 'no isolated-vm'; readonly why: string };
