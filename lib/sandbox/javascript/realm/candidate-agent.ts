import type { Answer, CallMessage, Exported, LoadRequest } from '../wire/messages.ts';
import { createSession, type Session } from '../wire/plain-data.ts';
import type { Realm } from '../wire/realm.ts';
import { type Buffers, type Classes, dataOf, Refusal } from '../wire/rows.ts';
import type { Services } from './candidate-globals.ts';
import { createTimers } from './timers.ts';

/**
 * Speaks for the candidate. It runs in the candidate's isolate but in its own realm, so that nothing the
 * candidate patches affects it. A candidate that got hold of it could still send only data.
 */
export interface Host {
  /** Arguments of a print, in JSON. */
  print(stream: 'stdout' | 'stderr', args: string): void;
  write(stream: 'stdout' | 'stderr', text: string): void;
  exit(code: number): void;
  /** Calls a function of Node's: arguments in JSON to `{ value }` or `{ problem }`, in JSON. */
  library(name: string, method: string, args: string): string;
  /** What Node's module of a name has, in JSON: see moduleNames. */
  moduleNames(name: string): string | null;
  /** The text and the path of a CommonJS module that candidates may require, in JSON; null if there is none. */
  moduleSource(name: string, from: string): string | null;
  sleep(milliseconds: number): void;
}

export interface Agent {
  readonly services: Services;
  /**
   * Takes functions that read the candidate's top-level names, and its `module.exports`; calls none of them.
   */
  begin(request: string, names: Readonly<Record<string, () => unknown>>, exports: () => unknown): void;
  /** Looks up the entry point; the answer. */
  loaded(): string;
  /** The answer if the program used something that is not there; else nothing. */
  lacks(): string;
  /** Calls the entry point; the answer, or nothing as long as its promise is not settled. */
  call(text: string): string;
  /** The answer to the last call, once, if there is one. */
  collect(): string;
  /** Runs the next timer; false if there is none. */
  runTimer(): boolean;
}

/** Values that are taken from an iterator. */
const MAX_STEPS = 10_000;

export function createAgent(realm: Realm, host: Host, candidateFile: string): Agent {
  const timers = createTimers(milliseconds => host.sleep(milliseconds));
  let load: LoadRequest | undefined;
  let entryPoint: unknown;
  let read: () => unknown = () => undefined;
  let exported: () => unknown = () => undefined;
  let names: Readonly<Record<string, () => unknown>> = {};
  let classes: Classes | undefined;
  let buffers: () => Buffers = () => allBuffers;
  let usesBuffers = false;
  let session: Session | undefined;
  let answer = '';
  let lacking: string | undefined;

  const allBuffers: Buffers = {
    isPrototype: prototype => usesBuffers && buffers().isPrototype(prototype),
    from: (buffer, offset, length) => buffers().from(buffer, offset, length),
  };
  const newSession = (others: 'refuse' | 'describe' | 'flatten' = 'refuse'): Session =>
    createSession({ realm, classes: classes ?? noClasses, others, buffers: allBuffers });

  const describe = (work: () => Answer): string => {
    if (lacking !== undefined) return JSON.stringify(['lacks', lacking]);
    try {
      return JSON.stringify(work());
    } catch (problem) {
      // An exception of the candidate's realm would be one of ours.
      const reason = problem instanceof Refusal ? problem.reason : 'a value that cannot be read';
      return JSON.stringify(['refused', reason] satisfies Answer);
    }
  };
  const settle = (work: (session: Session) => Answer): string => {
    answer = describe(() => {
      session ??= newSession();
      return work(session);
    });
    return answer;
  };
  const threw = (how: 'threw' | 'rejected', thrown: unknown): string =>
    settle(session => [how, session.encode([thrown]), lineIn(candidateFile, thrown)]);

  const returned = (value: unknown): string => {
    if (load?.awaits && isObject(value)) {
      try {
        Reflect.apply(then, value, [
          (result: unknown) => settle(session => ['fulfilled', session.encode([result])]),
          (reason: unknown) => threw('rejected', reason),
        ]);
        return '';
      } catch {
        // It is not a promise.
      }
    }
    const steps = load?.iterates && isObject(value) ? stepsOf(value) : undefined;
    if (!steps) return settle(session => ['returned', session.encode([value])]);
    const values: unknown[] = [];
    try {
      for (let step = steps(); values.push(step.value) < MAX_STEPS; step = steps())
        if (step.done) return settle(session => ['iterated', session.encode(values), 'ended', null]);
      return settle(session => ['iterated', session.encode(values), 'goes on', null]);
    } catch (thrown) {
      values.push(thrown);
      return settle(session => ['iterated', session.encode(values), 'threw', lineIn(candidateFile, thrown)]);
    }
  };

  const lookUp = (name: string): unknown => {
    try {
      const found = Object.hasOwn(names, name) ? names[name]?.() : undefined;
      if (found !== undefined) return found;
    } catch {
      // There is no such name, or it has no value yet.
    }
    try {
      const all = exported();
      const found = isObject(all) ? Reflect.get(all, name) : undefined;
      return found === undefined && name === load?.entryPoint ? defaultOf(all) : found;
    } catch {
      return undefined;
    }
  };

  return {
    services: {
      print(stream, args) {
        host.print(stream, JSON.stringify(newSession('describe').encode(args)));
      },
      write: (stream, text) => host.write(stream, text),
      lack(what) {
        lacking ??= what;
        throw new Refusal(what);
      },
      exit: code => host.exit(code),
      library(name, method, args) {
        const text = JSON.stringify(newSession(name === 'util' ? 'describe' : 'flatten').encode(args));
        const { value, problem } = JSON.parse(host.library(name, method, text));
        if (problem) realm.fail(problem.type, problem.message, problem.code);
        return newSession('flatten').decode(value)[0];
      },
      clone(value) {
        try {
          return newSession('flatten').decode(newSession('flatten').encode([value]))[0];
        } catch (problem) {
          const what = problem instanceof Refusal ? problem.reason : 'a value';
          return realm.fail('DataCloneError', `${what} could not be cloned.`, 25);
        }
      },
      moduleNames: name => host.moduleNames(name),
      moduleSource: (name, from) => host.moduleSource(name, from),
      offerBuffers(make) {
        buffers = () => {
          usesBuffers = true;
          return make();
        };
      },
      usesBuffers() {
        usesBuffers = true;
      },
      startTimer: timers.start,
      stopTimer: timers.stop,
    },
    begin(request, found, exports) {
      load = JSON.parse(request) as LoadRequest;
      names = found;
      exported = exports;
      const { entryPoint: name } = load;
      read = () => lookUp(name);
      classes = classesOf(load.classes, lookUp);
    },
    loaded() {
      return describe(() => {
        entryPoint = read();
        return ['loaded', typeof entryPoint === 'function', shapeOf(exported(), load?.entryPoint ?? '')];
      });
    },
    lacks: () => (lacking === undefined ? '' : JSON.stringify(['lacks', lacking])),
    call(text) {
      answer = '';
      const [fresh, message] = JSON.parse(text) as CallMessage;
      if (fresh || !session) session = newSession();
      let args: unknown[];
      try {
        args = session.decode(message);
      } catch {
        return settle(() => ['refused', 'an argument that cannot be rebuilt']);
      }
      try {
        return returned(Reflect.apply(entryPoint as () => unknown, undefined, args));
      } catch (thrown) {
        return threw('threw', thrown);
      }
    },
    collect() {
      const collected = answer;
      answer = '';
      return collected;
    },
    runTimer: timers.runNext,
  };
}

const noClasses: Classes = { names: new Map(), prototypes: new Map() };

/** Methods of builtins look at internal slots, so they work on objects of any realm. */
const { then } = Promise.prototype;
const iterators = [
  (function* () {})(),
  [][Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  ''[Symbol.iterator](),
  'a'.matchAll(/a/g),
] as const;
const nexts = new Map(
  iterators.map(each => [
    Reflect.get(each, Symbol.toStringTag) as unknown,
    each.next as () => IteratorResult<unknown>,
  ]),
);

/** The steps of one of the language's own iterators; undefined for other objects. */
function stepsOf(value: object): (() => IteratorResult<unknown>) | undefined {
  let prototype = Object.getPrototypeOf(value) as object | null;
  // Each generator function has a prototype of its own, which inherits from that of all generators.
  for (let depth = 0; prototype !== null && depth < 2; depth++) {
    const next = nexts.get(dataOf(prototype, Symbol.toStringTag));
    if (next) return () => Reflect.apply(next, value, []);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** A module may be a function, or have one as its default export. */
function defaultOf(all: unknown): unknown {
  return typeof all === 'object' && all !== null ? Reflect.get(all, 'default') : all;
}

function shapeOf(all: unknown, entryPoint: string): Exported {
  if (typeof all === 'function') return 'function';
  if (!isObject(all) || Reflect.ownKeys(all).length === 0) return 'nothing';
  return !Object.hasOwn(all, entryPoint) && Object.hasOwn(all, 'default') ? 'default' : 'named';
}

function classesOf(wanted: readonly string[], lookUp: (name: string) => unknown): Classes {
  const prototypes = new Map<string, object>();
  for (const name of wanted) {
    const found = lookUp(name);
    const prototype = typeof found === 'function' ? dataOf(found, 'prototype') : undefined;
    if (isObject(prototype)) prototypes.set(name, prototype);
  }
  return { prototypes, names: new Map([...prototypes].map(([name, prototype]) => [prototype, name])) };
}

/** The innermost line of a file in an error's stack; plain data, even if the candidate changed the stack. */
function lineIn(file: string, thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  try {
    const stack: unknown = Reflect.get(thrown, 'stack');
    if (typeof stack !== 'string') return null;
    const line = Number.parseInt(stack.split(`${file}:`)[1] ?? '', 10);
    return line > 0 ? line : null;
  } catch {
    return null;
  }
}
