import { createDecoder, type Settlers } from './decode.ts';
import { createEncoder } from './encode.ts';
import { createHandles } from './handles.ts';
import type { Intrinsics } from './intrinsics.ts';
import { type Graph, MAX_TEXT, Refusal, type Row } from './wire.ts';

/**
 * One end of the line between judge and candidate; both ends are alike. They take turns: whoever was asked may
 * ask back before it answers, so a function that was passed as an argument can be called while its receiver runs.
 */
export interface Peer {
  /** The answer to a question; questions that come before it are served. */
  ask(question: Question): Answer;
  /** Carries out a question and says how it went, without the promises settled meanwhile. */
  serve(question: Question): Answer;
  /** A message as text, with the news of promises that were settled. */
  write(message: Message): string;
  /** A message from text; news of promises in it are passed on at once. */
  read(text: string): Message;
  /** Describes a value as the answer to a question about it. */
  describe(value: unknown): Answer;
  /** The value in an answer; throws what the other side threw. */
  value(answer: Answer, known?: readonly object[]): unknown;
  /** Promises of the other side that it has not settled yet. */
  unsettled(): number;
}

export type Question =
  | { readonly op: 'call'; readonly id: number; readonly construct: boolean; readonly graph: Graph }
  | {
      readonly op: 'step';
      readonly id: number;
      readonly method: 'next' | 'return' | 'throw';
      readonly graph: Graph;
    }
  /** What a name of the candidate's program holds now. */
  | { readonly op: 'name'; readonly name: string }
  /** Sleep until the next timer is due and run it. */
  | { readonly op: 'turn' }
  /** Only the news. */
  | { readonly op: 'news' }
  /** What was asked for cannot cross: the end. */
  | { readonly op: 'refuse'; readonly reason: string };

export type Answer =
  | {
      readonly op: 'answer';
      readonly ok: boolean;
      readonly graph: Graph;
      /** Of something thrown: the candidate's line, 1-based. */
      readonly line?: number | undefined;
      /** Timers that the candidate has started and that are not due. */
      readonly timers?: number;
    }
  | { readonly op: 'refused'; readonly reason: string };

/** Which of the names that were asked for the candidate has. */
export interface Loaded {
  readonly op: 'loaded';
  readonly names: readonly string[];
}

export type Message = (Question | Answer | Loaded) & { readonly settled?: readonly Settled[] };

interface Settled {
  readonly id: number;
  readonly ok: boolean;
  readonly graph?: Graph;
  readonly line?: number | undefined;
  readonly refused?: string;
}

export interface PeerOptions {
  readonly intrinsics: Intrinsics;
  /** Sends a message and waits for the next one. */
  exchange(text: string): string;
  /** A value of the other side cannot be had; must not return. */
  refuse(reason: string): never;
  /** An argument for the other side is no plain data; must not return. */
  unsendable(reason: string): never;
  /** Where a value that is being thrown comes from, in this side's program. */
  lineOf?(thrown: unknown): number | undefined;
  /** Told of what the other side threw, before it is thrown here. */
  onThrown?(thrown: unknown, line: number | undefined): void;
  /** Told of each call of the other side's functions; returns what is told of its result. */
  onCall?(name: string, args: readonly unknown[]): (result: unknown) => void;
  /** Told of each answer. */
  onAnswer?(answer: Answer): void;
  /** Told when a promise of this side was settled, at a time when nobody asks. */
  onNews?(): void;
  /** Answers questions other than calls. */
  serveOther?(question: Question): Answer;
}

export function createPeer(options: PeerOptions): Peer {
  const { intrinsics, exchange, refuse, lineOf = () => undefined, onThrown = () => {} } = options;
  const handles = createHandles();
  const expected = new Map<number, Settlers>();
  /** News that came in the same message as the promise, and so before it. */
  const early = new Map<number, Settled>();
  const watched = new Set<number>();
  let settled: Settled[] = [];

  const encoder = createEncoder(intrinsics, handles, (promise, id) => {
    if (watched.has(id)) return;
    watched.add(id);
    intrinsics.watchPromise(
      promise,
      value => settle(id, true, value),
      reason => settle(id, false, reason),
    );
  });

  const settle = (id: number, ok: boolean, value: unknown): void => {
    try {
      settled.push({ id, ok, graph: encoder.encode([value]).graph, line: ok ? undefined : lineOf(value) });
    } catch (problem) {
      settled.push({ id, ok, refused: reasonOf(problem) });
    }
    options.onNews?.();
  };

  const decoder = createDecoder(intrinsics, handles, {
    call(id, name, args, construct) {
      const returned = options.onCall?.(name, args);
      const value = remote(args, graph => ({ op: 'call', id, construct, graph }));
      returned?.(value);
      return value;
    },
    step: (id, method, args) => remote(args, graph => ({ op: 'step', id, method, graph })),
    expect(id, settlers) {
      const news = early.get(id);
      if (news) pass(news, settlers);
      else expected.set(id, settlers);
    },
    refuse,
  });

  const remote = (args: unknown[], question: (graph: Graph) => Question): unknown => {
    const { graph, objects } = encodeOrRefuse(args);
    return peer.value(peer.ask(question(graph)), objects);
  };

  const encodeOrRefuse = (args: unknown[]): ReturnType<typeof encoder.encode> => {
    try {
      return encoder.encode(args);
    } catch (problem) {
      return options.unsendable(reasonOf(problem));
    }
  };

  const pass = ({ ok, graph, line, refused }: Settled, settlers: Settlers): void => {
    const [value] = decode(graph ?? refuse(String(refused ?? 'a promise of nothing'))).values;
    if (!ok) onThrown(value, line);
    if (ok) settlers.resolve(value);
    else settlers.reject(value);
  };

  const answer = (
    work: (values: unknown[]) => unknown,
    values: unknown[],
    known: readonly object[],
    before: readonly (Row | null)[],
  ): Answer => {
    let ok = true;
    let result: unknown;
    try {
      result = work(values);
    } catch (thrown) {
      ok = false;
      result = thrown;
    }
    try {
      const line = ok ? undefined : lineOf(result);
      return { op: 'answer', ok, graph: encoder.encode([result], known, before).graph, line };
    } catch (problem) {
      return { op: 'refused', reason: reasonOf(problem) };
    }
  };

  const decode = (graph: Graph, known?: readonly object[]): ReturnType<typeof decoder.decode> => {
    try {
      return decoder.decode(graph, known);
    } catch (problem) {
      return refuse(reasonOf(problem));
    }
  };

  const own = (id: number): object => {
    const found = handles.own(id);
    return found ?? refuse('a reference to nothing');
  };

  const peer: Peer = {
    ask(question) {
      let message = peer.read(exchange(peer.write(question)));
      while (message.op !== 'answer' && message.op !== 'refused') {
        if (message.op === 'loaded') return refuse('a message that cannot be read');
        message = peer.read(exchange(peer.write(peer.serve(message))));
      }
      options.onAnswer?.(message);
      return message;
    },

    serve(question) {
      if (question.op === 'refuse') return refuse(question.reason);
      if (question.op === 'news') return peer.describe(undefined);
      if (question.op !== 'call' && question.op !== 'step') {
        return options.serveOther?.(question) ?? { op: 'refused', reason: 'a question that nobody answers' };
      }
      const { values, objects } = decode(question.graph);
      const work = workOf(question, own(question.id)) ?? refuse('a question about something else');
      return answer(work, values, objects, question.graph.rows);
    },

    write(message) {
      const news = settled;
      settled = [];
      const text = JSON.stringify(news.length > 0 ? { ...message, settled: news } : message);
      if (text.length <= MAX_TEXT) return text;
      return JSON.stringify({
        op: message.op === 'answer' ? 'refused' : 'refuse',
        reason: `more than ${MAX_TEXT / 2 ** 20} MiB at once`,
      });
    },

    read(text) {
      const message = parse(text) ?? refuse('a message that cannot be read');
      for (const news of message.settled ?? []) {
        const isNews = typeof news === 'object' && news !== null;
        if (!isNews || (news.line !== undefined && !isCount(news.line)))
          return refuse('a message that cannot be read');
        const settlers = expected.get(news.id);
        if (settlers) pass(news, settlers);
        else early.set(news.id, news);
        expected.delete(news.id);
      }
      return message;
    },

    describe: value => answer(() => value, [], [], []),

    value(answered, known) {
      if (answered.op === 'refused') return refuse(answered.reason);
      const [value] = decode(answered.graph, known).values;
      if (answered.ok) return value;
      onThrown(value, answered.line);
      throw value;
    },

    unsettled: () => expected.size,
  };
  return peer;
}

/**
 * What a question asks of something of ours; null if that is of another kind. Nothing else of it may be reached:
 * the constructor of a function would run any code.
 */
function workOf(
  question: Question & { op: 'call' | 'step' },
  target: object,
): ((args: unknown[]) => unknown) | null {
  if (question.op === 'call') {
    if (typeof target !== 'function') return null;
    const callee = target as (...args: unknown[]) => unknown;
    return args =>
      question.construct ? Reflect.construct(callee, args) : Reflect.apply(callee, undefined, args);
  }
  if (typeof target === 'function' || !['next', 'return', 'throw'].includes(question.method)) return null;
  return args => Reflect.apply(Reflect.get(target, question.method) as () => unknown, target, args);
}

/** Null for anything but a message of ours: the other side may have been taken over. */
function parse(text: string): Message | null {
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
  turn: 'nothing',
  news: 'nothing',
  loaded: 'nothing',
};

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function reasonOf(problem: unknown): string {
  return problem instanceof Refusal ? problem.reason : 'a value that cannot be described';
}
