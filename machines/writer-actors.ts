import type { TestReport, TestResult } from '../lib/core/project-tests.ts';
import type { ChangedFile, Repair } from './project-actors.ts';

/** The conversation with a model that changes a project anywhere. Plain data, so that it can be stored. */

/** What a request is about; the states of the machine. */
export type WriterNode = 'draft' | 'reflect' | 'repeat' | 'syntax';

export interface WriterInput {
  /** The tests that count, before the repair. */
  readonly tests: readonly TestResult[];
  /** Repairs so far. */
  readonly changes: readonly ChangedFile[];
  readonly maxRequests: number;
}

/** An answer of the model, and what the tests say about it. */
export interface WrittenAttempt {
  readonly node: WriterNode;
  readonly completion: string;
  readonly isCut: boolean;
  /** Files that the model wants to see. */
  readonly wanted: readonly string[];
  /** All changed files, with earlier repairs; empty if nothing was applied. */
  readonly changes: readonly ChangedFile[];
  /** Why edits were not applied. */
  readonly problems: readonly string[];
  /** Whether an earlier answer had the same changes. */
  readonly repeated: boolean;
  /** Null if no test was run. */
  readonly result: AttemptResult | null;
}

export interface AttemptResult {
  /** Failing tests that pass now, and how many there are. */
  readonly passed: number;
  readonly of: number;
  /** Tests that passed before and do not now, with their values; empty if no failing test passes. */
  readonly broken: readonly TestResult[];
  readonly failing: readonly TestResult[];
  /** Why tests could not be run. */
  readonly fault: string | null;
}

export interface AskInput extends WriterInput {
  readonly node: WriterNode;
  readonly attempts: readonly WrittenAttempt[];
}

export type Asked = Pick<WrittenAttempt, 'node' | 'completion' | 'isCut'>;

export interface TryInput extends WriterInput {
  readonly asked: Asked;
  readonly attempts: readonly WrittenAttempt[];
}

export interface ReduceInput extends WriterInput {
  readonly attempt: WrittenAttempt;
}

/** A change that all tests confirm. */
export interface WrittenRepair {
  readonly changes: readonly ChangedFile[];
  readonly repaired: readonly Repair[];
  readonly report: TestReport;
  /** The version of the only function that was changed; null if anything else was. */
  readonly version: (Pick<Repair, 'file' | 'function' | 'line'> & { readonly code: string }) | null;
}
