import type { SyntaxParser } from '../../syntax/parser.ts';
import type { Chosen } from '../localise/project-suspects.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { FixReport } from '../report.ts';
import type { Runner, TestResult } from '../runners/runner.ts';

export interface RepairInput {
  readonly project: OpenProject;
  readonly parser: SyntaxParser;
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** The one that ran the tests before, which goes on to try candidates. */
  readonly runner: Runner;
  /** Aborted when the time is up, too. */
  readonly signal: AbortSignal;
  readonly chosen: Chosen;
  /** As they are before any repair, without flaky ones. */
  readonly tests: readonly TestResult[];
  readonly suspects: readonly Suspect[];
}

/** What is shared by the rounds, one for each function that is repaired. */
export interface RepairState {
  /** Files as they are with all repairs so far, by path. */
  readonly repaired: Map<string, SourceFile>;
  tried: number;
  best: FixReport['best'];
}

/** Files as a runner takes them. */
export function bytesOf(files: ReadonlyMap<string, SourceFile>): Map<string, Uint8Array> {
  return new Map([...files].map(([path, { bytes }]) => [path, bytes]));
}
