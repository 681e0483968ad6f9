import type { TextModel } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { Chosen } from '../localise/project-suspects.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { FixReport } from '../report.ts';
import type { Runner, TestResult } from '../runners/runner.ts';
import type { StartedModel } from './start-model.ts';

export interface RepairInput {
  readonly project: OpenProject;
  readonly parser: SyntaxParser;
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** The runner that ran the tests before; it also tries candidates. */
  readonly runner: Runner;
  /** Also aborts when the time is up. */
  readonly signal: AbortSignal;
  readonly model: StartedModel;
  readonly chosen: Chosen;
  /** The tests before any repair, without flaky ones. */
  readonly tests: readonly TestResult[];
  readonly suspects: readonly Suspect[];
}

/** The search for one repair. */
export interface RoundInput extends Omit<RepairInput, 'runner' | 'model'> {
  /** Null for none. Never rejects. */
  readonly model: Promise<TextModel | null>;
  readonly state: RepairState;
  /** A process that has run nothing yet, for the test of the repair; started once a candidate passes. */
  readonly fresh: Runner;
  /** Each tries one candidate at a time. */
  readonly runners: readonly Runner[];
}

/** State shared by the rounds, one for each repaired function. */
export interface RepairState {
  /** Files with all repairs so far, by path. */
  readonly repaired: Map<string, SourceFile>;
  tried: number;
  best: FixReport['best'];
}

/** Files in the form that a runner takes. */
export function bytesOf(files: ReadonlyMap<string, SourceFile>): Map<string, Uint8Array> {
  return new Map([...files].map(([path, { bytes }]) => [path, bytes]));
}
