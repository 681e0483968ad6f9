import { format, inspect, isDeepStrictEqual } from 'node:util';
import { intrinsics } from '../judge/candidate/own-realm.ts';
import type { Library } from '../realm/candidate-globals.ts';
import { createCopier } from '../realm/mirror.ts';
import type { Graph } from '../realm/wire.ts';

/**
 * The pure functions of Node's modules that a candidate may use: they work on copies in the candidate's
 * process and have no side effects. Takes a graph of arguments and returns `{ value: graph }` or `{ problem
 * }`, in JSON. Modules that few candidates need are loaded when one does.
 */
export function callLibrary(library: Library, method: string, graph: string): string {
  try {
    const value = functions[library](method, decodePlain(graph));
    return JSON.stringify({ value: encodePlain(value) });
  } catch (problem) {
    return JSON.stringify({ problem: problem instanceof Error ? problem.message : String(problem) });
  }
}

/** Functions among the values are represented by their names. */
export function decodePlain(graph: string): unknown[] {
  return createCopier(intrinsics).decode(JSON.parse(graph));
}

export function encodePlain(value: unknown): Graph {
  return createCopier(intrinsics).encode([value]);
}

const functions: Readonly<Record<Library, (method: string, args: unknown[]) => unknown>> = {
  assert(method, args) {
    const assert = process.getBuiltinModule('node:assert');
    try {
      Reflect.apply(Reflect.get(assert, method) as () => void, assert, args);
      return null;
    } catch (problem) {
      return problem instanceof Error ? problem.message : String(problem);
    }
  },
  util(method, args) {
    if (method === 'inspect') return inspect(args[0]);
    return method === 'format' ? format(...args) : isDeepStrictEqual(args[0], args[1]);
  },
  crypto(_method, [algorithm, encoding, chunks]) {
    const hash = process.getBuiltinModule('node:crypto').createHash(String(algorithm));
    for (const chunk of chunks as unknown[]) {
      hash.update(chunk instanceof Uint8Array ? chunk : String(chunk));
    }
    return encoding === undefined ? new Uint8Array(hash.digest()) : hash.digest(encoding as 'hex');
  },
  process: () => process.cpuUsage(),
  text(method, [value]) {
    if (method === 'btoa') return btoa(String(value));
    if (method === 'atob') return atob(String(value));
    if (method === 'encode') return new TextEncoder().encode(String(value));
    return new TextDecoder().decode(value as Uint8Array);
  },
};
