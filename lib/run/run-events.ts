import type { Attempt } from '../core/attempt.ts';
import type { RunRecord } from '../core/record.ts';
import type { Preparation } from '../terminal/preparation.ts';
import type { Job } from './plan.ts';

/** Told what goes on in a run, for a progress display. */
export interface RunEvents {
  /** Something that people should know before they trust the numbers; a whole sentence. */
  warned(sentence: string): void;
  /** The data set or the model is fetched or built first; not called for what is ready. */
  preparing(step: Preparation): void;
  /** The jobs of this run, and the records of those that are done already. */
  planned(jobs: readonly Job[], done: readonly RunRecord[]): void;
  /** A job begins; several may be in flight. What it does is told to what this gives back. */
  started(job: Job): JobEvents;
}

/** Told what goes on in one job. */
export interface JobEvents {
  state(state: string): void;
  generationStarted(temperature: number): void;
  text(piece: string): void;
  generationEnded(completionTokens: number): void;
  attempted(attempt: Attempt): void;
  /** The model or the sandbox failed, and all begins again. */
  again(cause: { readonly code: string; readonly message: string }): void;
  ended(record: RunRecord): void;
}
