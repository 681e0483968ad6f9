import type { Hash } from 'node:crypto';
import { isBuiltin } from 'node:module';
import { types } from 'node:util';
import { createSession, type Session } from '../wire/plain-data.ts';
import * as realm from '../wire/realm.ts';
import type { Buffers } from '../wire/rows.ts';

/** A session with this process's own types. */
export function sessionHere(others: 'describe' | 'flatten'): Session {
  return createSession({ realm: here, others, buffers: ourBuffers });
}

/** This process's realm, which can tell a proxy. */
export const here = { ...realm, isProxy: types.isProxy };

export const ourBuffers: Buffers = {
  isPrototype: prototype => prototype === Buffer.prototype,
  from: (buffer, offset, length) => Buffer.from(buffer, offset, length),
};

/** What candidates may use of Node's modules: it works on copies in the candidate's process, without side effects. */
const offered: Readonly<Record<string, string>> = {
  util: 'inspect format formatWithOptions isDeepStrictEqual stripVTControlCharacters toUSVString styleText parseArgs',
  path: 'basename dirname extname join normalize resolve relative isAbsolute parse format toNamespacedPath matchesGlob',
  querystring: 'parse stringify escape unescape decode encode',
  crypto: 'getHashes randomUUID randomBytes randomInt timingSafeEqual pbkdf2Sync scryptSync hkdfSync',
  url: 'parse format resolve domainToASCII domainToUnicode fileURLToPath',
  process: 'cpuUsage hrtime uptime',
};

/** The functions that candidates may call of a module, and all names that it has; null if Node has no such module. */
export function moduleNames(name: string): string | null {
  if (!isBuiltin(name) && name !== 'path/win32') return null;
  const wanted = name.split('/')[0] ?? '';
  const module = isBuiltin(wanted) ? Object(process.getBuiltinModule(wanted)) : {};
  const calls = (offered[wanted] ?? '').split(' ').filter(each => typeof module[each] === 'function');
  return JSON.stringify({ calls, names: Object.getOwnPropertyNames(module) });
}

/**
 * Calls one of them. Takes a message with arguments and returns `{ value: message }` or `{ problem }`, in JSON. Modules
 * that few candidates need are loaded when one does.
 */
export function callLibrary(library: string, method: string, args: string): string {
  try {
    const given = sessionHere('describe').decode(JSON.parse(args));
    const value = ours[library] ? ours[library](method, given) : callNode(library, method, given);
    return JSON.stringify({ value: sessionHere('flatten').encode([value]) });
  } catch (problem) {
    const { name = 'Error', message, code } = problem as { name?: string; message?: string; code?: string };
    return JSON.stringify({ problem: { type: name, message: String(message), code } });
  }
}

/** Functions that Node does not have under these names. */
const ours: Readonly<Record<string, (method: string, args: unknown[]) => unknown>> = {
  assert(method, args) {
    try {
      call(process.getBuiltinModule('node:assert'), method, args);
      return null;
    } catch (problem) {
      return problem instanceof Error ? problem.message : String(problem);
    }
  },
  'path/win32': (method, args) => call(process.getBuiltinModule('node:path').win32, method, args),
  hash(method, args) {
    const [first, encoding, chunks] = args as [unknown[], 'hex' | undefined, [string, 'utf8' | undefined][]];
    const hash = call(process.getBuiltinModule('node:crypto'), method, first) as Hash;
    for (const [chunk, form] of chunks) hash.update(chunk, form as 'utf8');
    return encoding === undefined ? hash.digest() : hash.digest(encoding);
  },
  text(method, [value, encoding, fatal]) {
    if (method === 'btoa') return btoa(String(value));
    if (method === 'atob') return atob(String(value));
    if (method === 'encode') return new TextEncoder().encode(String(value));
    const decoder = new TextDecoder(String(encoding), { fatal: fatal === true });
    return method === 'encoding' ? decoder.encoding : decoder.decode(value as Uint8Array);
  },
};

function callNode(library: string, method: string, args: readonly unknown[]): unknown {
  if (!offered[library]?.split(' ').includes(method)) throw new Error(`no ${library}.${method}`);
  return call(Object(process.getBuiltinModule(library)), method, args);
}

function call(module: object, method: string, args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(module, method) as () => unknown, module, args);
}
