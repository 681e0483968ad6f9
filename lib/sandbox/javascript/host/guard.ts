import { types } from 'node:util';
import type { Property } from '../realm/fill.ts';
import type { Mirrored } from '../realm/mirror.ts';
import { shadowsBuiltin } from '../realm/shadowing.ts';

/**
 * Protects the judge from a candidate's values: functions in place of built-in ones, getters whose results
 * vary, changes of the tests' own functions. Also keeps Node's own objects in the judge.
 */
export interface Guard {
  adapt(property: Property, mirror: Mirrored): Property;
  /** Calls `refuse` if the candidate must not change an object of the tests. */
  protect(mirror: Mirrored): void;
  stays(object: object): string | undefined;
  /** Marks a class or module that the tests construct or require as the candidate's. */
  trust(object: object): void;
  /** Notes that the candidate's code has run. */
  called(): void;
}

export interface GuardOptions {
  /** Source texts whose functions the candidate may receive. */
  readonly sources: readonly string[];
  refuse(reason: string): never;
}

const implicit = new Set<symbol>([
  Symbol.toPrimitive,
  Symbol.hasInstance,
  Symbol.isConcatSpreadable,
  Symbol.species,
  Symbol.match,
  Symbol.matchAll,
  Symbol.replace,
  Symbol.search,
  Symbol.split,
  Symbol.unscopables,
]);

export function createGuard({ sources, refuse }: GuardOptions): Guard {
  const trusted = new WeakSet<object>();
  let epoch = 0;

  const isTrusted = (object: object): boolean => {
    const maker: unknown = Reflect.get(object, 'constructor');
    return trusted.has(object) || (typeof maker === 'function' && trusted.has(maker));
  };

  /** A getter of an object must return the same plain value until the candidate is called again. */
  const consistent = (get: () => unknown): (() => unknown) => {
    let last: { epoch: number; self: unknown; value: unknown } | undefined;
    return function (this: unknown) {
      const now = epoch;
      const value: unknown = Reflect.apply(get, this, []);
      epoch = now;
      const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
      if (last?.epoch === now && last.self === this && !isObject && !Object.is(last.value, value))
        refuse('a property that is now this and now that');
      last = { epoch: now, self: this, value };
      return value;
    };
  };

  return {
    adapt(property, mirror) {
      const { key, value, get, set } = property;
      const { object, kind } = mirror;
      if (mirror.owner === 'mine') {
        const before = Object.getOwnPropertyDescriptor(object, key);
        const isReplaced = typeof before?.value === 'function' && before.value !== value;
        if (isReplaced || (get && before?.get !== get)) refuse(`the tests' own ${String(key)}, changed`);
        return property;
      }
      if (typeof value !== 'function' && !get && !set) return property;
      const isHook = typeof key === 'symbol' ? implicit.has(key) : shadowsBuiltin(key, kind);
      const common = { key, enumerable: property.enumerable ?? false, configurable: true };
      if (!isHook) {
        if (!get) return property;
        return { ...common, get: consistent(get), ...(set && { set }) };
      }
      const guarded = function (this: unknown): unknown {
        if (!isTrusted(object)) refuse(`an object with a ${String(key)} of its own`);
        return get ? Reflect.apply(get, this, []) : value;
      };
      const replace = (next: unknown): void =>
        void Object.defineProperty(object, key, { ...common, value: next, writable: true });
      return { ...common, enumerable: false, get: guarded, set: set ?? replace };
    },
    protect({ object, kind }) {
      const isPrototype = typeof Object.getOwnPropertyDescriptor(object, 'constructor')?.value === 'function';
      if (kind === 'function' || isPrototype) refuse("a function of the tests' own, changed");
    },
    stays(object) {
      if (object === process || object === globalThis) return "Node's own process";
      if (Buffer.isBuffer(object)) return 'a Buffer';
      if (typeof object !== 'function') return types.isProxy(object) ? 'a Proxy' : undefined;
      const source = Function.prototype.toString.call(object);
      const isGiven = /\{ \[native code\] \}$/.test(source) || sources.some(text => text.includes(source));
      return isGiven ? undefined : "a function of Node's";
    },
    trust(object) {
      for (let each: object | null = object; each !== null; each = Object.getPrototypeOf(each)) {
        if (each === Function.prototype || each === Object.prototype) break;
        trusted.add(each);
      }
      if (typeof object !== 'function') return;
      const start: unknown = Reflect.get(object, 'prototype');
      let prototype = typeof start === 'object' ? start : null;
      while (prototype !== null && prototype !== Object.prototype) {
        trusted.add(prototype);
        prototype = Object.getPrototypeOf(prototype) as object | null;
      }
    },
    called: () => void epoch++,
  };
}
