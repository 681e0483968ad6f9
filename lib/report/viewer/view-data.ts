import type { RunRecord } from '../../core/record.ts';
import type { VerdictKind } from '../../core/verdict.ts';
import type { MachineGraph } from '../../repair/machine-formats.ts';
import type { Share } from '../numbers.ts';
import type { ReportPicture } from '../pages/pictures.ts';
import type { ChosenWith } from '../task-runs.ts';
import type { RecordHit } from './page/data/record-hits.ts';

/** The page's data: the list of runs at once, rows in short form, single records in full. */

export interface RunList {
  /** The heading: what is shown. */
  readonly title: string;
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  readonly machines: Readonly<Record<string, MachineDrawings>>;
}

export interface RunInfo {
  readonly id: string;
  /** Path of the results file, relative to the folder shown. */
  readonly name: string;
  readonly model: string;
  readonly dataset: string;
  readonly agent: string;
  /** Options that affect numbers, by name; unset ones are left out. */
  readonly settings: Readonly<Record<string, string>>;
  /** ISO 8601; null if unknown. */
  readonly started: string | null;
  /** Number of records of the finished file; null if unknown. */
  readonly planned: number | null;
  /** Why nothing is known about the run, as a sentence; null if all is well. */
  readonly problem: string | null;
}

type Facts = 'task_id' | 'index' | 'sample' | 'entry_point' | 'bug_type' | 'passed' | 'iters' | 'runtime_sec';

/** A record in short form, for tables. */
export interface Row extends Pick<RunRecord, Facts> {
  /** 0-based index of the record in its file. */
  readonly line: number;
  readonly verdict: VerdictKind | null;
  /** What the agent `search` tried its candidates on; null for other agents. */
  readonly search: NonNullable<RunRecord['search']>['tried_on'] | null;
  /** The last iteration that the hidden tests judged, −1 for none; null if the run finished. */
  readonly judged_through: number | null;
  readonly chosen_with: ChosenWith;
  /** The error's code; null if the task was judged. */
  readonly error: string | null;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** The verdict of each attempt; null if it was withheld. */
  readonly attempts: readonly (VerdictKind | null)[];
}

/** Rows of a results file, from the requested one on. */
export interface Rows {
  /**
   * A new value means that the file was replaced: earlier rows are invalid, and `rows` starts with the first.
   */
  readonly generation: number;
  readonly rows: readonly Row[];
  /** Whether more can be requested immediately. */
  readonly more: boolean;
  /** Whether a run holds the file, so that records may be added. */
  readonly inProgress: boolean;
  /** A sentence on the invalid line at which reading stopped. */
  readonly problem: string | null;
  /** Set for a large results file: `rows` is empty, and tasks are requested by page. */
  readonly large: LargeRun | null;
}

/** A run whose rows stay on the server. */
export interface LargeRun {
  /** Number of records read so far. */
  readonly records: number;
  /** Null until all records are read. */
  readonly totals: RunTotals | null;
}

/** The figures of a run in the list of runs. */
export interface RunTotals {
  readonly tasks: number;
  /** The highest number of samples of a task. */
  readonly samples: number;
  readonly errors: number;
  readonly tokens: number;
  readonly seconds: number;
  /** The share without any feedback; null if there is no such answer. */
  readonly first: Share | null;
  /** Within all iterations. */
  readonly solved: Share | null;
}

/** A run's options and manifest. */
export interface RunDetails {
  /** All options by their command-line names, including defaults. */
  readonly options: readonly RunOption[];
  /** The options as resolved for the model; empty for files of earlier versions. */
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
  readonly picture: ReportPicture;
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

/** What the dataset contains for a task and the model did not see. */
export interface TaskAnswer {
  readonly canonical: string;
  readonly tests: string;
}

/** An agent's machine, laid out. The error state is included only in `whole`. */
export interface MachineDrawings {
  readonly usual: MachineDrawing;
  readonly whole: MachineDrawing;
}

/** In CSS pixels; x and y are the centre of the state. */
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

/** The data of a page that is a single file. */
export interface InlineData {
  readonly list: RunList;
  /** By the run's id. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** By run id and row line: the record as JSON, compressed with gzip, in base64. */
  readonly records: Readonly<Record<string, readonly string[]>>;
  /** By the run's id. */
  readonly details: Readonly<Record<string, RunDetails>>;
  /** By the run's id. */
  readonly reports: Readonly<Record<string, RunReport>>;
}
