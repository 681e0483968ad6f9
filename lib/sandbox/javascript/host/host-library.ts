import { format, inspect, isDeepStrictEqual, stripVTControlCharacters, types } from 'node:util';
import type { Library } from '../realm/candidate-globals.ts';
import { createSession, type Session } from '../wire/plain-data.ts';
import * as realm from '../wire/realm.ts';
import type { Buffers } from '../wire/rows.ts';

/** A session with this process's own types. */
export function sessionHere(others: 'refuse' | 'describe'): Session {
  return createSession({ realm: here, others, buffers: ourBuffers });
}

/** This process's realm, which can tell a proxy. */
export const here = { ...realm, isProxy: types.isProxy };

export const ourBuffers: Buffers = {
  isPrototype: prototype => prototype === Buffer.prototype,
  from: (buffer, offset, length) => Buffer.from(buffer, offset, length),
};

/**
 * The functions of Node's modules that a candidate may use: they work on copies in the candidate's
 * process and have no side effects. Takes a message with arguments and returns `{ value: message }` or `{ problem
 * }`, in JSON. Modules that few candidates need are loaded when one does.
 */
export function callLibrary(library: Library, method: string, args: string): string {
  try {
    const value = functions[library](method, sessionHere('describe').decode(JSON.parse(args)));
    return JSON.stringify({ value: sessionHere('describe').encode([value]) });
  } catch (problem) {
    const { name = 'Error', message, code } = problem as { name?: string; message?: string; code?: string };
    return JSON.stringify({ problem: { type: name, message: String(message), code } });
  }
}

const functions: Readonly<Record<Library, (method: string, args: unknown[]) => unknown>> = {
  assert(method, args) {
    try {
      call(process.getBuiltinModule('node:assert'), method, args);
      return null;
    } catch (problem) {
      return problem instanceof Error ? problem.message : String(problem);
    }
  },
  util: (method, args) =>
    call({ inspect, format, isDeepStrictEqual, stripVTControlCharacters }, method, args),
  path: (method, args) => call(process.getBuiltinModule('node:path').posix, method, args),
  querystring: (method, args) => call(process.getBuiltinModule('node:querystring'), method, args),
  crypto(method, args) {
    const crypto = process.getBuiltinModule('node:crypto');
    if (method !== 'createHash' && method !== 'createHmac') return call(crypto, method, args);
    const [first, encoding, chunks] = args as [unknown[], 'hex' | undefined, [string, 'utf8' | undefined][]];
    const hash = call(crypto, method, first) as ReturnType<typeof crypto.createHash>;
    for (const [chunk, form] of chunks) hash.update(chunk, form as 'utf8');
    return encoding === undefined ? hash.digest() : hash.digest(encoding);
  },
  process: () => process.cpuUsage(),
  text(method, [value, encoding, fatal]) {
    if (method === 'btoa') return btoa(String(value));
    if (method === 'atob') return atob(String(value));
    if (method === 'encode') return new TextEncoder().encode(String(value));
    return new TextDecoder(String(encoding), { fatal: fatal === true }).decode(value as Uint8Array);
  },
};

function call(module: object, method: string, args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(module, method) as () => unknown, module, args);
}
