import type { Graph } from './wire.ts';

/** What judge and candidate tell each other: questions, answers, and news of promises. */

export type Question =
  | { readonly op: 'call'; readonly id: number; readonly construct: boolean; readonly graph: Graph }
  | {
      readonly op: 'step';
      readonly id: number;
      readonly method: 'next' | 'return' | 'throw';
      readonly graph: Graph;
    }
  /** Output of the candidate, while the tests watch it. */
  | { readonly op: 'print'; readonly method: string; readonly graph: Graph }
  /** Something of the candidate's realm that the tests have replaced in theirs: its path and its value. */
  | { readonly op: 'patch'; readonly graph: Graph }
  /** What the task declares and each side has a copy of: names of functions, and names and numbers of objects. */
  | { readonly op: 'share'; readonly graph: Graph }
  /** The current value of the candidate's `module.exports`. */
  | { readonly op: 'exports' }
  /** The current value of a name of the candidate's program. */
  | { readonly op: 'name'; readonly name: string }
  /** Sleep until the next timer is due, and run it. */
  | { readonly op: 'turn' }
  /** Only news of promises. */
  | { readonly op: 'news' }
  /** The requested value cannot cross, which ends the execution. */
  | { readonly op: 'refuse'; readonly reason: string };

export type Answer =
  | {
      readonly op: 'answer';
      readonly ok: boolean;
      readonly graph: Graph;
      /** For an exception: the candidate's line, 1-based. */
      readonly line?: number | undefined;
      /** Number of the candidate's pending timers. */
      readonly timers?: number;
    }
  | { readonly op: 'refused'; readonly reason: string };

/** Which of the requested names the candidate has. */
export interface Loaded {
  readonly op: 'loaded';
  readonly names: readonly string[];
}

export type Message = (Question | Answer | Loaded) & { readonly settled?: readonly Settled[] };

export interface Settled {
  readonly id: number;
  readonly ok: boolean;
  readonly graph?: Graph;
  readonly line?: number | undefined;
  readonly refused?: string;
}

/** Null for anything but a valid message: the other side may have been taken over. */
export function parseMessage(text: string): Message | null {
  try {
    const message = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    if (typeof message !== 'object' || message === null) return null;
    const { op, settled, line, timers, reason, ok, graph } = message;
    if (typeof op !== 'string' || !Object.hasOwn(needs, op)) return null;
    if (settled !== undefined && !Array.isArray(settled)) return null;
    if (line !== undefined && !isCount(line)) return null;
    if (timers !== undefined && !isCount(timers)) return null;
    if (needs[op] === 'reason' && typeof reason !== 'string') return null;
    if (needs[op] === 'graph' && (typeof graph !== 'object' || graph === null)) return null;
    if (op === 'answer' && typeof ok !== 'boolean') return null;
    return message as unknown as Message;
  } catch {
    return null;
  }
}

const needs: Readonly<Record<string, 'graph' | 'reason' | 'nothing'>> = {
  answer: 'graph',
  call: 'graph',
  step: 'graph',
  refused: 'reason',
  refuse: 'reason',
  name: 'nothing',
  exports: 'nothing',
  print: 'graph',
  patch: 'graph',
  share: 'graph',
  turn: 'nothing',
  news: 'nothing',
  loaded: 'nothing',
};

export function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
