import type { Attempt } from '../core/attempt.ts';
import type { Exactness } from '../core/measurements.ts';
import type { GenerateRequest } from '../core/ports.ts';
import type { RunRecord } from '../core/record.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import type { TransferProgress } from '../files/hub/transfer-progress.ts';
import type { BuildProgress } from '../model/build/build-model.ts';
import type { Job } from './plan.ts';

/** Preparations before a run: downloading a model or a dataset, building a model's graph. */
export type Preparation =
  | { readonly kind: 'fetching'; readonly name: string; readonly progress: TransferProgress }
  | { readonly kind: 'building'; readonly name: string; readonly progress: BuildProgress }
  /** A graph was built and compared with the float weights; another type is built if it is `refused`. */
  | { readonly kind: 'built' | 'refused'; readonly name: string; readonly exactness: Exactness };

/** What is in a queue, and how many workers take from it. */
export interface QueueState {
  /** Jobs that no worker holds. */
  readonly waiting: number;
  readonly active: number;
  readonly paused: boolean;
  readonly workers: number;
  /** Seconds since the job that runs longest was taken; null if none runs. */
  readonly oldestSeconds: number | null;
}

/** Receives the events of a run, for a progress display. */
export interface RunEvents {
  /** A warning; a whole sentence. */
  warned(sentence: string): void;
  /** The dataset or the model is downloaded or built first; not called for what is ready. */
  preparing(step: Preparation): void;
  /** A request to a server goes out with one of several keys, or one of them is refused; a whole sentence. */
  rotated?(sentence: string): void;
  /** The jobs of this run, and the records that exist already. */
  planned(jobs: readonly Job[], done: readonly RecordFacts[]): void;
  /** The state of the queue of a run on many machines, about once a second. */
  distributed?(state: QueueState): void;
  /** A job starts; several may run concurrently. Its events go to the returned object. */
  started(job: Job): JobEvents;
}

/** What a model is sent. */
export type Asked = Pick<GenerateRequest, 'messages'> & Partial<Pick<GenerateRequest, 'tools' | 'prefill'>>;

/** Receives the events of one job. */
export interface JobEvents {
  state(state: string): void;
  /** The model is asked, with this prompt and these tools. */
  asked(request: Asked): void;
  generationStarted(temperature: number): void;
  text(piece: string): void;
  generationEnded(completionTokens: number): void;
  attempted(attempt: Attempt): void;
  /** The model or the sandbox failed, and the job starts again. */
  again(cause: { readonly code: string; readonly message: string }): void;
  ended(record: RunRecord): void;
}

/** Ignores all events. */
export function silentEvents(): RunEvents {
  const nothing = () => {};
  return {
    warned: nothing,
    preparing: nothing,
    planned: nothing,
    started: () => ({
      state: nothing,
      asked: nothing,
      generationStarted: nothing,
      text: nothing,
      generationEnded: nothing,
      attempted: nothing,
      again: nothing,
      ended: nothing,
    }),
  };
}
