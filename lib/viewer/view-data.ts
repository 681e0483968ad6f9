import type { MachineGraph } from '../agent/machine-graph.ts';
import type { RunRecord } from '../core/record.ts';
import type { VerdictKind } from '../core/verdict.ts';
import type { ChosenWith } from '../report/first-candidate.ts';
import type { ReportPicture } from '../report/report-picture.ts';
import type { RecordHit } from './page/record-hits.ts';

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
  /** How many records the finished file will hold; null if unknown. */
  readonly planned: number | null;
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

/** A run's options and manifest. */
export interface RunDetails {
  /** All options under their command-line names, defaults included. */
  readonly options: readonly RunOption[];
  /** The options as resolved for the model; empty in files of earlier versions. */
  readonly resolved: Readonly<Record<string, string>>;
  /** The manifest as indented JSON. */
  readonly manifest: string;
}

export interface RunOption {
  readonly name: string;
  /** Empty if it was not given and has no default. */
  readonly value: string;
  /** Whether records depend on it. */
  readonly decidesResults: boolean;
}

/** A run's results as charts and text. */
export interface RunReport {
  /** Null if the chart packages are not installed; `problem` says so. */
  readonly picture: ReportPicture | null;
  readonly problem: string | null;
  readonly words: string;
  /** Whole sentences. */
  readonly warnings: readonly string[];
}

/** The records that contain a text, as far as the file was searched. */
export interface FoundRecords {
  readonly hits: readonly RecordHit[];
  /** The line where the next request starts; null if all were searched. */
  readonly next: number | null;
}

/** What the dataset holds for a task and the model was not shown. */
export interface TaskAnswer {
  readonly canonical: string;
  readonly tests: string;
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
    /** The centre of the labels; absent in drawings without labels. */
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
  /** By the run's id. */
  readonly details: Readonly<Record<string, RunDetails>>;
  /** By the run's id. */
  readonly reports: Readonly<Record<string, RunReport>>;
}
