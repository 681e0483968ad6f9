import type { DatasetContext } from '../../run/open-dataset.ts';
import type { OpenSandbox } from '../../run/open-sandbox.ts';
import type { Distribute } from '../../run/run.ts';

export interface VerifyContext extends DatasetContext {
  readonly signal: AbortSignal;
  readonly warn?: (sentence: string) => void;
  /** Opens the sandbox of runs if omitted. */
  readonly openSandbox?: OpenSandbox;
  /** Judges the solutions on the workers of a queue; in this process if omitted. */
  readonly distribute?: Distribute;
}
