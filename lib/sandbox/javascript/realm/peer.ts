import { type Answer, type Message, parseMessage, type Question } from './messages.ts';
import { createMirror, type MirrorOptions } from './mirror.ts';
import { createPromiseNews, type PromiseNewsOptions } from './promise-news.ts';
import { type Graph, MAX_TEXT, Refusal } from './wire.ts';

/**
 * One end of the connection between judge and candidate; both ends are alike. They take turns: the side that
 * was asked may ask back before it answers, so that a function passed as an argument can be called meanwhile.
 */
export interface Peer {
  /**
   * The value in the answer to a question; serves questions that come before it. Throws what was thrown
   * there.
   */
  ask(question: Question): unknown;
  /** Handles a question and reports the result, without news of promises. */
  serve(question: Question): Answer;
  /** A message as text, with news of settled promises. */
  write(message: Message): string;
  /** A message from text; its news of promises is passed on once its values have been read. */
  read(text: string): Message;
  /** Describes a value as the answer to a question about it. */
  describe(value: unknown): Answer;
  /** Runs something as the answer to a question; exceptions cross. */
  describeCall(work: () => unknown): Answer;
  /** The value in an answer; throws what the other side threw. */
  value(answer: Answer): unknown;
  /** Values as a graph, for a question of another kind, and back. */
  encode(values: readonly unknown[]): Graph;
  decode(graph: Graph): unknown[];
  /** Whether a value is a stand-in for something of the other side. */
  isTheirs(value: unknown): boolean;
  /** See Mirror. */
  offer(object: object): number;
  adopt(id: number, object: object): void;
  /** Number of promises of the other side that it has not settled yet. */
  unsettled(): number;
}

export interface PeerOptions
  extends Pick<MirrorOptions, 'intrinsics' | 'refuse' | 'stays' | 'adapt' | 'inherit' | 'protect'>,
    Pick<PromiseNewsOptions, 'onNews' | 'onPromise' | 'onServedThrow'> {
  /** Sends a message and waits for the next one. */
  exchange(text: string): string;
  /** An argument for the other side is not plain data; must not return. */
  unsendable(reason: string): never;
  /** The location in this side's program that an exception comes from. */
  lineOf?(thrown: unknown): number | undefined;
  /** Called with an exception of the other side before it is thrown here. */
  onThrown?(thrown: unknown, line: number | undefined): void;
  /** Called for each call of the other side's functions; returns a callback for its result. */
  onCall?(name: string, args: readonly unknown[]): (result: unknown) => void;
  /** Called with each answer. */
  onAnswer?(answer: Answer): void;
  /** A `this` that stands for none. */
  isNoSelf?(self: unknown): boolean;
  /** Called when a class of the other side is constructed with `new`. */
  onConstruct?(target: object): void;
  /** Called for each question; returns a callback for what the answer throws, if anything. */
  onAsk?(): (outcome: { readonly thrown: unknown } | undefined) => void;
  /** Runs a call of a function or an iterator of this side. */
  serve?<T>(own: object, call: () => T): T;
  /** Answers questions other than calls. */
  serveOther?(question: Question): Answer;
}

export function createPeer(options: PeerOptions): Peer {
  const { intrinsics, exchange, refuse, lineOf = () => undefined, onThrown = () => {} } = options;
  const news = createPromiseNews({
    ...options,
    lineOf,
    onThrown,
    valueOf: ({ graph, refused }) => decode(graph ?? refuse(String(refused ?? 'a promise of nothing')))[0],
  });

  const mirror = createMirror({
    ...options,
    call(id, name, args, self, target) {
      const returned = options.onCall?.(name, args);
      if (target) options.onConstruct?.(target);
      const isPlain = self === undefined || intrinsics.isGlobal(self) || options.isNoSelf?.(self);
      const value = remote([isPlain ? undefined : self, target, ...args], graph => ({
        op: 'call',
        id,
        construct: target !== undefined,
        graph,
      }));
      returned?.(value);
      return value;
    },
    step: (id, method, args) => remote(args, graph => ({ op: 'step', id, method, graph })),
    expect: news.expect,
    promised: news.watch,
  });

  const remote = (args: unknown[], question: (graph: Graph) => Question): unknown =>
    peer.ask(question(encode(args)));

  const encode = (values: readonly unknown[]): Graph => {
    try {
      return mirror.encode(values);
    } catch (problem) {
      return options.unsendable(reasonOf(problem));
    }
  };

  const answer = (work: () => unknown, own?: object): Answer => {
    let ok = true;
    let result: unknown;
    try {
      result = work();
    } catch (thrown) {
      ok = false;
      result = thrown;
      options.onServedThrow?.(thrown, own);
    }
    try {
      const line = ok ? undefined : lineOf(result);
      return { op: 'answer', ok, graph: mirror.encode([result]), line };
    } catch (problem) {
      return { op: 'refused', reason: reasonOf(problem) };
    }
  };

  const decode = (graph: Graph): unknown[] => {
    try {
      return mirror.decode(graph);
    } catch (problem) {
      return refuse(reasonOf(problem));
    }
  };

  const peer: Peer = {
    ask(question) {
      const answered = options.onAsk?.();
      let message = peer.read(exchange(peer.write(question)));
      while (message.op !== 'answer' && message.op !== 'refused') {
        if (message.op === 'loaded') return refuse('a message that cannot be read');
        message = peer.read(exchange(peer.write(peer.serve(message))));
      }
      options.onAnswer?.(message);
      try {
        const value = peer.value(message);
        answered?.(undefined);
        return value;
      } catch (thrown) {
        answered?.({ thrown });
        throw thrown;
      }
    },

    serve(question) {
      if (question.op === 'refuse') return refuse(question.reason);
      if (question.op !== 'call' && question.op !== 'step') {
        news.pass();
        if (question.op === 'news') return peer.describe(undefined);
        return options.serveOther?.(question) ?? { op: 'refused', reason: 'a question that nobody answers' };
      }
      const values = decode(question.graph);
      news.pass();
      const own =
        mirror.own(question.id, question.op === 'call' ? 'function' : 'iterator') ??
        refuse('a reference to nothing');
      const work = workOf(question, own);
      const call = (): unknown => work(values);
      return answer(() => (options.serve ? options.serve(own, call) : call()), own);
    },

    write(message) {
      const settled = news.take((id, { ok, value, line }) => {
        try {
          return { id, ok, graph: mirror.encode([value]), line };
        } catch (problem) {
          return { id, ok, refused: reasonOf(problem) };
        }
      });
      const text = JSON.stringify(settled.length > 0 ? { ...message, settled } : message);
      if (text.length <= MAX_TEXT) return text;
      return JSON.stringify({
        op: message.op === 'answer' ? 'refused' : 'refuse',
        reason: `more than ${MAX_TEXT / 2 ** 20} MiB at once`,
      });
    },

    read(text) {
      const message = parseMessage(text) ?? refuse('a message that cannot be read');
      if (!news.receive(message.settled ?? [])) return refuse('a message that cannot be read');
      return message;
    },

    describe: value => answer(() => value),
    describeCall: work => answer(work),

    value(answered) {
      if (answered.op === 'refused') return refuse(answered.reason);
      const [value] = decode(answered.graph);
      news.pass();
      if (answered.ok) return value;
      onThrown(value, answered.line);
      throw value;
    },

    encode,
    decode,

    isTheirs: mirror.isTheirs,
    offer: mirror.offer,
    adopt: mirror.adopt,
    unsettled: news.unsettled,
  };
  return peer;
}

/** The object that a question concerns, if it has the right kind. */
function workOf(
  question: Question & { op: 'call' | 'step' },
  target: object,
): (values: unknown[]) => unknown {
  if (question.op === 'call') {
    const callee = target as (...args: unknown[]) => unknown;
    return ([self, newTarget, ...args]) =>
      question.construct
        ? Reflect.construct(callee, args, typeof newTarget === 'function' ? newTarget : callee)
        : Reflect.apply(callee, self, args);
  }
  const method = ['next', 'return', 'throw'].find(name => name === question.method) ?? 'next';
  return args => Reflect.apply(Reflect.get(target, method) as () => unknown, target, args);
}

function reasonOf(problem: unknown): string {
  return problem instanceof Refusal ? problem.reason : 'a value that cannot be described';
}
