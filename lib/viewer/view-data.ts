import type { MachineGraph } from '../agent/machine-graph.ts';
import type { RunRecord } from '../core/record.ts';
import type { VerdictKind } from '../core/verdict.ts';
import type { ChosenWith } from '../report/first-candidate.ts';
import type { ReportPicture } from '../report/report-picture.ts';

/** What the page is given: about runs at once, about records in short, and of single records all. */

export interface RunList {
  /** What was asked to be shown, for the heading. */
  readonly title: string;
  /** The newest first. */
  readonly runs: readonly RunInfo[];
  readonly machines: Readonly<Record<string, MachineDrawings>>;
}

export interface RunInfo {
  readonly id: string;
  /** The results file's path below the folder shown. */
  readonly name: string;
  readonly model: string;
  readonly dataset: string;
  readonly agent: string;
  /** Options that decide numbers, by name; those that were not given are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** ISO 8601; null if unknown. */
  readonly started: string | null;
  /** Why nothing is known of it, as a sentence; null if all is well. */
  readonly problem: string | null;
}

type Facts = 'task_id' | 'index' | 'sample' | 'entry_point' | 'bug_type' | 'passed' | 'iters' | 'runtime_sec';

/** A record in short, of which tables are made. */
export interface Row extends Pick<RunRecord, Facts> {
  /** The record's place in its file; 0-based. */
  readonly line: number;
  readonly verdict: VerdictKind | null;
  /** What the agent `search` tried its candidates on; null for other agents. */
  readonly search: NonNullable<RunRecord['search']>['tried_on'] | null;
  /** The last iteration that the hidden tests judged, −1 for none; null if the run came to its end. */
  readonly judged_through: number | null;
  readonly chosen_with: ChosenWith;
  /** Its code; null if the task was judged. */
  readonly error: string | null;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** The verdict of each attempt; null if it was not told. */
  readonly attempts: readonly (VerdictKind | null)[];
}

/** The rows of a results file from the one that was asked for. */
export interface Rows {
  /** Another one means that the file was written anew: earlier rows hold no longer, and `rows` begins with the first. */
  readonly generation: number;
  readonly rows: readonly Row[];
  /** There are more to be had at once. */
  readonly more: boolean;
  /** A run holds the file: records may be added. */
  readonly inProgress: boolean;
  /** A sentence on a line that is no record, where reading ended. */
  readonly problem: string | null;
}

/** An agent's machine, laid out. States that stand for a fault of model or sandbox are in `whole` alone. */
export interface MachineDrawings {
  readonly usual: MachineDrawing;
  readonly whole: MachineDrawing;
}

/** Units are CSS pixels; x and y of a state are those of its centre. */
export interface MachineDrawing {
  readonly width: number;
  readonly height: number;
  readonly initial: MachineGraph['initial'];
  readonly states: readonly {
    readonly name: string;
    readonly description: string;
    readonly final: boolean;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly arrows: readonly {
    readonly from: string;
    readonly to: string;
    readonly labels: readonly string[];
    readonly points: readonly { readonly x: number; readonly y: number }[];
    /** The middle of the labels, where the drawing has room for them. */
    readonly labelAt?: { readonly x: number; readonly y: number };
  }[];
}

/** What a page that is one file brings along. */
export interface InlineData {
  readonly list: RunList;
  /** By the run's id. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** By the run's id and the row's line: the record as JSON, gzip, base64. */
  readonly records: Readonly<Record<string, readonly string[]>>;
  /** Charts that stand above the tables. */
  readonly pictures: readonly ReportPicture[];
}
