import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { instancePrototypes } from '../../../../lib/sandbox/javascript/realm/instance-prototypes.ts';
import { prototypesOf } from '../../../../lib/sandbox/javascript/realm/intrinsics.ts';

/** The language's types, without Node's own. A new context also has those of flags that were set since the start. */
const names = runInNewContext(
  "Object.getOwnPropertyNames(globalThis).filter(name => typeof globalThis[name]?.prototype === 'object')",
).filter((name: string) => name in globalThis) as readonly string[];
const prototypeOf = (name: string): object => Reflect.get(globalThis, name).prototype;

test('finds the types of the language through the global object, and none of Node', () => {
  const found = instancePrototypes(Object.getOwnPropertyNames(globalThis), []);
  expect(names).toContain('FinalizationRegistry');
  expect(names.filter(name => !found.includes(prototypeOf(name)))).toEqual([]);
  expect(found.includes(Intl.NumberFormat.prototype)).toBe(true);
  for (const { prototype } of [URL, EventTarget, TextEncoder]) expect(found.includes(prototype)).toBe(false);
});

test('every type of the language has a kind, except those that are used through their methods', () => {
  const kinds = new Map(prototypesOf());
  const without = names.filter(name => !kinds.has(prototypeOf(name)));
  expect(without.filter(name => !/^(Async)?DisposableStack$/.test(name))).toEqual([]);
  expect(kinds.get(FinalizationRegistry.prototype)).toBe('uncopyable');
  expect(kinds.get(Map.prototype)).toBe('map');
});
