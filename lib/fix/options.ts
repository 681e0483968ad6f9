import type { Snapshot } from 'xstate';
import type { RepairQuestion } from '../../machines/project-actors.ts';
import type { TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { Inspect } from '../repair/repair-task.ts';
import type { ProcessIsolationLevel } from '../sandbox/isolation/isolation.ts';
import type { ProjectPlace } from './project/locate.ts';
import type { RepairTime } from './repair-time.ts';
import type { FixEvent } from './report.ts';

/** Requests of one conversation, unless the options say otherwise. */
export const MAX_REQUESTS = 6;

export interface FixOptions extends ProjectPlace {
  /** The user's variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `NAME` or `NAME=VALUE`, one per line: variables that the tests see. */
  readonly variables?: string | undefined;
  readonly python?: string | undefined;
  /** Folders outside of the project that links in node_modules may lead to. */
  readonly packages?: readonly string[];
  /** Wall-clock seconds of the whole repair and of one test; MiB of one process. */
  readonly time: number;
  readonly timeout: number;
  readonly memory: number;
  readonly isolation?: ProcessIsolationLevel | undefined;
  readonly requireIsolation: boolean;
  /** Let tests reach the network. */
  readonly allowNetwork: boolean;
  /** Begin with the tests that failed when the project's own runner ran last. */
  readonly lastFailures?: boolean;
  /** Stop after ranking the suspects. */
  readonly suspectsOnly: boolean;
  /** Number of likeliest answers of a model that answers with edits. */
  readonly beams: number;
  /** Temperature of the first answer of a conversation; null for 0. */
  readonly temperature: number | null;
  /** Repair iterations after the first answer of a conversation. */
  readonly iterations: number;
  /** Seconds to find out whether other repairs pass that behave differently; 0 to ask no question. */
  readonly questionTime: number;
  readonly maxNewTokens: number;
  /** Whether the model writes a project's files in one conversation, as models behind servers do. */
  readonly converses?: boolean;
  /** Whether it may call functions in that conversation. */
  readonly usesTools?: boolean;
  /** Requests of one conversation; tokens of all of them, of one prompt and of one answer. */
  readonly maxRequests?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly context?: number | undefined;
  readonly answerTokens?: number | undefined;
  /** Of a million tokens. */
  readonly prices?: { readonly prompt: number; readonly completion: number } | undefined;
  readonly seed: number;
}

export interface FixParts {
  /**
   * Opened once there is something to repair; null to use enumerated edits only.
   * @param untimed what it waits for is not part of the repair's time
   */
  readonly openModel: (
    signal: AbortSignal,
    language: Language,
    untimed: RepairTime['untimed'],
  ) => Promise<TextModel | null>;
  readonly onEvent: (event: FixEvent) => void;
  /** Reports a problem that does not end the repair, as a sentence. */
  readonly onWarning?: (sentence: string) => void;
  readonly now: () => number;
  /** Which answer is meant, by its index, of a question about repairs that pass; its test is added. Null for none. */
  readonly choose?: ((question: RepairQuestion) => Promise<number | null>) | undefined;
  /** Receives events of the machine and its actors. */
  readonly inspect?: Inspect | undefined;
  /** The last value passed to `onSnapshot`: resumes from it and repeats the step that was in progress. */
  readonly snapshot?: ProjectSnapshot | undefined;
  /** Called after each transition to a state that is not final, with all that is needed to resume; plain data. */
  readonly onSnapshot?: ((snapshot: ProjectSnapshot) => void) | undefined;
}

/** The state of a repair as persisted by XState. */
export type ProjectSnapshot = Snapshot<unknown>;
