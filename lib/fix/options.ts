import type { TextModel } from '../core/ports.ts';
import type { ProcessIsolationLevel } from '../sandbox/isolation/isolation.ts';
import type { FixEvent } from './report.ts';

export interface FixOptions {
  /** A file, `file::function`, a folder; the current folder unless given. */
  readonly target?: string | undefined;
  readonly tests: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly python?: string | undefined;
  /** Wall-clock seconds of the whole repair, of one test, and MiB of one process. */
  readonly time: number;
  readonly timeout: number;
  readonly memory: number;
  readonly isolation?: ProcessIsolationLevel | undefined;
  readonly requireIsolation: boolean;
  /** Stop once the suspects are ranked. */
  readonly suspectsOnly: boolean;
  /** Likeliest answers of a model that answers with edits; samples of one that does not. */
  readonly beams: number;
  readonly candidates: number;
  /** Of samples; null for 0, then warmer. */
  readonly temperature: number | null;
  readonly maxNewTokens: number;
  readonly seed: number;
}

export interface FixParts {
  /** Opened once there is something to repair; null for the enumerated edits alone. */
  readonly openModel: (signal: AbortSignal) => Promise<TextModel | null>;
  readonly onEvent: (event: FixEvent) => void;
  /** Told in a sentence what went wrong without ending the repair. */
  readonly onWarning?: (sentence: string) => void;
  readonly now: () => number;
}
