import type { Library, Services } from './candidate-globals.ts';
import type { Intrinsics } from './intrinsics.ts';
import type { Answer, Loaded, Question } from './messages.ts';
import { createCopier } from './mirror.ts';
import { createPeer } from './peer.ts';
import { shareHelpers } from './share-helpers.ts';
import { type Graph, Refusal } from './wire.ts';

/**
 * Speaks for the candidate. It runs in the candidate's isolate but in its own realm, so that nothing the
 * candidate patches affects it. A candidate that got hold of it could still send only data.
 */
export interface Host {
  exchange(text: string): string;
  /** Arguments of a print, as a graph in JSON. */
  print(stream: 'stdout' | 'stderr', graph: string): void;
  write(stream: 'stdout' | 'stderr', text: string): void;
  exit(code: number): void;
  /** Calls a pure function of the host's: a graph of arguments to `{ value: graph }` or `{ problem }`, in JSON. */
  library(name: Library, method: string, graph: string): string;
  /** The text of a CommonJS module that candidates may require; null if there is none. */
  moduleSource(name: string): string | null;
  sleep(milliseconds: number): void;
}

export interface Agent {
  readonly services: Services;
  /**
   * Takes functions that read the candidate's top-level names, and its `module.exports`; calls none of them.
   */
  name(names: Readonly<Record<string, () => unknown>>, exports: () => unknown): void;
  /** Determines which names of a JSON list hold something; `collect` returns the answer. */
  loaded(names: string): void;
  /** Handles a question in JSON. `collect` returns the answer once the isolate's jobs have run. */
  serve(text: string): void;
  collect(): string;
}

export function createAgent(realm: Omit<Intrinsics, 'prototypes'>, host: Host, candidateFile: string): Agent {
  const intrinsics: Intrinsics = { ...realm, prototypes: realm.prototypesOf() };
  const timers = createTimers();
  let names: Readonly<Record<string, () => unknown>> = {};
  let moduleExports: () => unknown = () => undefined;
  let pending: Answer | Loaded | undefined;

  /** Prototypes of the task's classes with private fields. */
  const hidden = new Set<object>();

  /** The tests observe each print as it happens. */
  let watchesOutput = false;

  const refuse = (reason: string): never => {
    host.exchange(JSON.stringify({ op: 'refuse', reason }));
    throw new Refusal(reason);
  };

  const peer = createPeer({
    intrinsics,
    exchange: text => host.exchange(text),
    refuse,
    unsendable: refuse,
    stays: object => (hidden.has(object) ? 'an object with private fields' : undefined),
    lineOf: thrown => lineIn(candidateFile, thrown),
    serveOther(question) {
      if (question.op === 'name') return peer.describe(lookUp(question.name));
      if (question.op === 'exports') return peer.describe(moduleExports());
      if (question.op === 'patch') {
        const [path, value] = peer.decode(question.graph);
        if (path === 'output') watchesOutput = true;
        else intrinsics.patch(String(path), value);
        return peer.describe(undefined);
      }
      if (question.op === 'share') {
        const [text] = peer.decode(question.graph);
        return peer.describe(shareHelpers(String(text), { lookUp, peer, intrinsics, hidden }));
      }
      return peer.describeCall(() => timers.runNext(milliseconds => host.sleep(milliseconds)));
    },
  });

  intrinsics.hideSources(peer.isTheirs, () => refuse('a use of the source of a function of the tests'));

  const lookUp = (name: string): unknown => {
    try {
      const found = Object.hasOwn(names, name) ? names[name]?.() : undefined;
      if (found !== undefined) return found;
    } catch {}
    try {
      const exported = moduleExports();
      const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function';
      return isObject && Reflect.has(exported, name) ? Reflect.get(exported, name) : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    services: createServices(intrinsics, host, timers, {
      refuse,
      printed(method, args) {
        if (watchesOutput) peer.ask({ op: 'print', method, graph: peer.encode(args) });
      },
    }),
    name(found, exports) {
      names = found;
      moduleExports = exports;
    },
    loaded(asked) {
      const found = (JSON.parse(asked) as string[]).filter(name => lookUp(name) !== undefined);
      pending = { op: 'loaded', names: found };
    },
    serve(text) {
      pending = undefined;
      pending = peer.serve(peer.read(text) as Question);
    },
    collect() {
      const answer = pending ?? { op: 'refused', reason: 'no answer' };
      return peer.write(answer.op === 'answer' ? { ...answer, timers: timers.count() } : answer);
    },
  };
}

/** A separate codec, since what is printed or looked up does not concern the judge. */
function createServices(
  intrinsics: Intrinsics,
  host: Host,
  timers: ReturnType<typeof createTimers>,
  {
    refuse,
    printed,
  }: { refuse(reason: string): never; printed(method: string, args: readonly unknown[]): void },
): Services {
  const graphOf = (args: readonly unknown[]): string => {
    try {
      return JSON.stringify(createCopier(intrinsics).encode(args));
    } catch (problem) {
      if (problem instanceof Refusal) return JSON.stringify({ roots: [`<${problem.reason}>`], rows: [] });
      throw problem;
    }
  };
  const copy = (graph: Graph): unknown => createCopier(intrinsics).decode(graph)[0];
  return {
    print(stream, method, args) {
      host.print(stream, graphOf(args));
      printed(method, args);
    },
    write(stream, text) {
      host.write(stream, text);
      printed(stream, [text]);
    },
    refuse: what => refuse(what),
    exit: code => host.exit(code),
    library(name, method, args) {
      const { value, problem } = JSON.parse(host.library(name, method, graphOf(args)));
      if (problem !== undefined) throw intrinsics.newTypeError(String(problem));
      return copy(value);
    },
    clone: value => copy(createCopier(intrinsics).encode([value])),
    moduleSource: name => host.moduleSource(name),
    startTimer: timers.start,
    stopTimer: timers.stop,
  };
}

/** The innermost line of a file in an error's stack; plain data, even if the candidate changed the stack. */
function lineIn(file: string, thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    const stack: unknown = Reflect.get(thrown, 'stack');
    if (typeof stack !== 'string') return undefined;
    const found = stack.split(`${file}:`)[1];
    const line = Number.parseInt(found ?? '', 10);
    return line > 0 ? line : undefined;
  } catch {
    return undefined;
  }
}

/**
 * setTimeout for an isolate, which has no event loop: timers run one by one while somebody waits for them.
 */
interface Timers {
  start(callback: () => void, milliseconds: number, repeat: boolean): number;
  stop(id: number): void;
  count(): number;
  /** Sleeps until the next timer is due and runs it; does nothing without one. */
  runNext(sleep: (milliseconds: number) => void): void;
}

function createTimers(): Timers {
  const timers = new Map<number, { due: number; callback: () => void; every: number | null }>();
  const { now } = Date;
  let lastId = 0;
  return {
    start(callback, milliseconds, repeat) {
      const wait = milliseconds > 0 ? milliseconds : 1;
      timers.set(++lastId, { due: now() + wait, callback, every: repeat ? wait : null });
      return lastId;
    },
    stop: id => void timers.delete(id),
    count: () => timers.size,
    runNext(sleep) {
      const [next] = [...timers].sort(([, a], [, b]) => a.due - b.due);
      if (!next) return;
      const [id, timer] = next;
      const wait = timer.due - now();
      if (wait > 0) sleep(wait);
      if (timer.every === null) timers.delete(id);
      else timer.due = now() + timer.every;
      timer.callback();
    },
  };
}
