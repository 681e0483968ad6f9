import { here, ourBuffers } from '../host/host-library.ts';
import type { Job } from '../host/job.ts';
import type { Answer, CallMessage, Exported, LoadRequest } from '../wire/messages.ts';
import { createSession, type Session } from '../wire/plain-data.ts';
import { broken, type Classes, type Message, Refusal } from '../wire/rows.ts';
import { type Checks, shorten, shortenText } from './assertions/checks.ts';
import type { Connection } from './connection.ts';
import type { Origins } from './uncaught.ts';

/** The candidate in the other process, of which the tests can call the entry point and nothing else. */
export interface Candidate {
  /** Sends the program. Throws what it threw. */
  load(): { readonly isFunction: boolean; readonly exported: Exported };
  readonly entryPoint: (...args: unknown[]) => unknown;
  /** Number of promises that never settle. */
  unsettled(): number;
}

export interface CandidateOptions {
  readonly connection: Connection;
  send(text: string): void;
  readonly checks: Checks;
  readonly origins: Origins;
  /** What the task declares. */
  readonly helpers: object;
  /** The tests hand over something that is not plain data. */
  isolate(what: string): never;
}

/**
 * Both ends remember the objects of earlier calls, and send what has changed in them: an object that is given or kept
 * twice stays one object. Calls with many of them start again, unless they share a large one, which is sent once.
 */
const MAX_REMEMBERED_PARTS = 100;
const LARGE = 1000;

export function createCandidate({ candidate, entryPoint, tests }: Job, options: CandidateOptions): Candidate {
  const { connection, send, checks, origins, isolate } = options;
  const classes = declaredClasses(options.helpers);
  const newSession = (): Session =>
    createSession({ realm: here, classes, buffers: ourBuffers, exactErrors: true });
  let session: Session | undefined;
  let firstParts = 0;
  let unsettled = 0;

  const hear = (): Answer => {
    try {
      const answer: unknown = JSON.parse(connection.receive());
      if (Array.isArray(answer)) return answer as unknown as Answer;
    } catch {
      // Refused below.
    }
    return connection.refuse(broken().reason);
  };
  const valuesOf = (message: Message): unknown[] => {
    try {
      return (session ?? newSession()).decode(message);
    } catch (problem) {
      return connection.refuse(problem instanceof Refusal ? problem.reason : broken().reason);
    }
  };
  const valueIn = (message: Message): unknown => {
    const values = valuesOf(message);
    return values.length === 1 ? values[0] : connection.refuse(broken().reason);
  };
  const thrownBy = (message: Message, line: unknown): unknown => {
    const thrown = valueIn(message);
    if (thrown instanceof Error) hideStack(thrown);
    origins.add(thrown, {
      line: Number.isSafeInteger(line) ? Number(line) : undefined,
      doing: connection.doing(),
    });
    return thrown;
  };

  /** The arguments, as copies unless the tests see changes in them. */
  const copied = (args: readonly unknown[]): readonly unknown[] => {
    const isCopied = (arg: unknown): boolean => Object(arg) === arg && !checks.isShared(arg);
    if (!args.some(isCopied)) return args;
    const copies = newSession().decode(newSession().encode(args));
    return args.map((arg, i) => (isCopied(arg) ? copies[i] : arg));
  };

  const encode = (values: readonly unknown[]): CallMessage => {
    try {
      const args = copied(values);
      const parts = session?.parts() ?? Number.POSITIVE_INFINITY;
      const sharesLarge =
        firstParts >= LARGE && parts <= 2 * firstParts && args.some(arg => session?.knows(arg));
      const goesOn = parts <= MAX_REMEMBERED_PARTS || sharesLarge;
      if (!goesOn || !session) session = newSession();
      const message = session.encode(args);
      if (!goesOn) firstParts = session.parts();
      return [!goesOn, message];
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      return isolate(`hand ${problem.reason} to ${entryPoint}`);
    }
  };

  const call = (args: readonly unknown[]): unknown => {
    const message = encode(args);
    const called = {
      returned: false,
      result: undefined as unknown,
      // The arguments as they were, unless only changes were sent.
      get text(): string {
        const [fresh, sent] = message;
        const shown = fresh ? newSession().decode(sent) : args;
        return shortenText(`${entryPoint}(${shown.map(shorten).join(', ')})`).slice(0, 200);
      },
    };
    checks.called(called);
    send(JSON.stringify(message));
    const answer = hear();
    const value = resultOf(answer);
    called.returned = true;
    called.result = value;
    return value;
  };

  const resultOf = (answer: Answer): unknown => {
    const awaited = answer[0] === 'fulfilled' || answer[0] === 'rejected' || answer[0] === 'never settles';
    if (awaited && !tests.awaits) return connection.refuse('a promise');
    if (answer[0] === 'iterated' && !tests.iterates) return connection.refuse('an iterator');
    switch (answer[0]) {
      case 'returned':
        return valueIn(answer[1]);
      case 'fulfilled':
        return Promise.resolve(valueIn(answer[1]));
      case 'threw':
        throw thrownBy(answer[1], answer[2]);
      case 'rejected':
        return Promise.reject(thrownBy(answer[1], answer[2]));
      case 'iterated':
        return walk(valuesOf(answer[1]), answer[2], answer[3]);
      case 'never settles':
        unsettled++;
        return new Promise(() => {});
      case 'refused':
        return connection.refuse(String(answer[1]));
      case 'lacks':
        return connection.lacks(String(answer[1]));
      default:
        return connection.refuse(broken().reason);
    }
  };

  function* walk(values: readonly unknown[], how: unknown, line: unknown): Generator<unknown, unknown> {
    const doing = connection.doing();
    const last = how === 'goes on' ? values.length : values.length - 1;
    for (let i = 0; i < last; i++) yield values[i];
    if (how === 'goes on') connection.refuse(`an iterator of more than ${values.length} values`);
    const thrown = values[last];
    if (how !== 'threw') return thrown;
    origins.add(thrown, { line: Number.isSafeInteger(line) ? Number(line) : undefined, doing });
    throw thrown;
  }

  return {
    load() {
      const request = { code: candidate, entryPoint, classes: [...classes.prototypes.keys()] };
      const { awaits, iterates } = tests;
      send(JSON.stringify({ ...request, awaits, iterates } satisfies LoadRequest));
      const answer = hear();
      if (answer[0] === 'loaded') {
        const exported = (['function', 'default', 'named'] as const).find(shape => shape === answer[2]);
        return { isFunction: answer[1] === true, exported: exported ?? 'nothing' };
      }
      if (answer[0] === 'threw') throw thrownBy(answer[1], answer[2]);
      if (answer[0] === 'lacks') return connection.lacks(String(answer[1]));
      return connection.refuse(broken().reason);
    },
    entryPoint: (...args) => call(args),
    unsettled: () => unsettled,
  };
}

/** The classes of a declaration: judge and candidate have one of each. */
function declaredClasses(helpers: object): Classes {
  const prototypes = new Map<string, object>();
  for (const [name, value] of Object.entries(helpers) as [string, unknown][])
    if (typeof value === 'function' && /^class\b/.test(String(value)))
      prototypes.set(name, value.prototype as object);
  return { prototypes, names: new Map([...prototypes].map(([name, prototype]) => [prototype, name])) };
}

/** Where an exception was thrown is the candidate's affair; the place in the tests is found without it. */
function hideStack(error: Error): void {
  Error.captureStackTrace(error);
}
