import type { Message } from './rows.ts';

/** What judge and candidate's process say to each other. */

/** From the judge, once the candidate's process is ready. */
export interface LoadRequest {
  readonly code: string;
  readonly entryPoint: string;
  /** Classes that the task declares: their instances cross as fields. */
  readonly classes: readonly string[];
  /** Whether the tests can await a result. */
  readonly awaits: boolean;
  /** Whether the tests can walk a result once. */
  readonly iterates: boolean;
}

/** From the candidate's host before any foreign code runs, or instead of an answer. */
export type HostMessage =
  | { readonly op: 'ready' }
  | { readonly op: 'lost'; readonly why: 'memory' | 'exited' }
  | { readonly op: 'no isolated-vm'; readonly why: string };

/** From the judge: a call of the entry point. A new session begins if `fresh`. */
export type CallMessage = readonly [fresh: boolean, args: Message];

/** The shape of what the program exports. */
export type Exported = 'nothing' | 'function' | 'default' | 'named';

/** From the candidate. */
export type Answer =
  | readonly ['loaded', isFunction: boolean, exported: Exported]
  | readonly ['returned' | 'fulfilled', Message]
  | readonly ['threw' | 'rejected', Message, line: number | null]
  /** The values of an iterator, and how it went on: further, or to a returned value or an exception, which is the last. */
  | readonly ['iterated', Message, 'ended' | 'goes on' | 'threw', line: number | null]
  | readonly ['never settles']
  /** The candidate gave something that is not plain data, or used something that is not there. */
  | readonly ['refused', reason: string]
  | readonly ['lacks', what: string];
