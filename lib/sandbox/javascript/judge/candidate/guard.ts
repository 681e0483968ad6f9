import { types } from 'node:util';
import type { Property } from '../../realm/fill.ts';
import type { Kind } from '../../realm/intrinsics.ts';
import {
  hidesBuiltin,
  isComparison,
  isConversion,
  isPlainKind,
  shadowsBuiltin,
} from '../../realm/shadowing.ts';
import type { Mirrored } from '../../realm/shared-objects.ts';
import type { Given } from './given.ts';
import { createStable } from './stable.ts';

/**
 * Protects the judge from a candidate's values. What may have behaviour of its own is decided by the tests: classes
 * that they construct, extend or check for. Of all other objects, functions in place of built-in ones are refused.
 * Also keeps Node's own objects in the judge.
 */
export interface Guard {
  adapt(property: Property, mirror: Mirrored): Property | null;
  /** Calls `refuse` if an object of the candidate must not have this prototype, or must not change now. */
  inherit(prototype: unknown, mirror: Mirrored, isNew: boolean): void;
  /** Calls `refuse` if the candidate must not change an object of the tests. */
  protect(mirror: Mirrored): void;
  stays(object: object): string | undefined;
  /** Marks what the tests use as a class of the candidate. */
  trustClass(maker: object): void;
  /** Marks what the tests require: its own functions may have any name. */
  trustModule(exported: object): void;
  /** Marks an object of the task that the tests compare with. */
  keep(object: object): void;
  /** Runs work of the judge's own that looks at values without asking the candidate. */
  describe<T>(work: () => T): T;
  /** Notes that the candidate's code has run. */
  called(): void;
}

export interface GuardOptions {
  readonly given: Given;
  readonly entryPoint: string;
  /** Names of the environment that the tests read. */
  readonly environment: readonly string[];
  isBuiltin(object: object): boolean;
  /** Whether an object is an error of a failed assertion. */
  isFailure(object: object): boolean;
  refuse(reason: string): never;
  /** The candidate's own code decides a comparison. */
  unproven(): void;
}

export function createGuard(options: GuardOptions): Guard {
  const { given, entryPoint, environment, isBuiltin, isFailure, refuse, unproven } = options;
  const trusted = new WeakSet<object>();
  const kept = new WeakSet<object>();

  const isTrusted = (object: object): boolean => {
    const prototype = Object.getPrototypeOf(object) as object | null;
    return trusted.has(object) || (prototype !== null && trusted.has(prototype));
  };

  const stable = createStable((object, what) => {
    if (!isTrusted(object)) refuse(`an object whose ${what} is now this and now that`);
    unproven();
  });

  const changesOfOurs = (property: Property, { object }: Mirrored): Property | null => {
    const { key, value, get } = property;
    if (object === process.env && !environment.includes(String(key))) return null;
    const before = Object.getOwnPropertyDescriptor(object, key);
    const isReplaced = typeof before?.value === 'function' && before.value !== value;
    if (isReplaced || (get && before?.get !== get)) refuse(`the tests' own ${String(key)}, changed`);
    return property;
  };

  /** Properties as they were adapted last, by what they were made of. */
  const adapted = new WeakMap<
    object,
    Map<string | symbol, { readonly of: unknown; readonly as: Property }>
  >();

  /** What the tests get where the candidate has a function or a getter under a name. */
  const readOf = ({ key, value, get }: Property, object: object, isHook: boolean): (() => unknown) => {
    if (get) return stable.read(get, object, key);
    if (typeof value !== 'function') return () => value;
    const work =
      key === Symbol.iterator
        ? stable.iterate(value, object)
        : isHook && isConversion(key)
          ? stable.read(value, object, key)
          : value;
    return () => work;
  };

  const guarded = (property: Property, object: object, isHook: boolean, compares: boolean): Property => {
    const { key, get, set, enumerable = false } = property;
    const read = readOf(property, object, isHook);
    const common = { key, enumerable, configurable: true };
    const replace = (next: unknown): void =>
      void Object.defineProperty(object, key, { ...common, value: next, writable: true });
    const setter = set ?? (get ? undefined : replace);
    return {
      ...common,
      get(this: unknown) {
        if (stable.isDescribing()) return undefined;
        if (isHook && !isTrusted(object)) refuse(`an object with a ${String(key)} of its own`);
        if (compares) unproven();
        return Reflect.apply(read, this, []);
      },
      ...(setter && { set: setter }),
    };
  };

  return {
    adapt(property, mirror) {
      if (mirror.owner === 'mine') return changesOfOurs(property, mirror);
      const { key, value, get, set } = property;
      const { object, kind } = mirror;
      const hides = hidesBuiltin(key, kind);
      if (typeof value !== 'function' && !get && !set && !hides) {
        stable.becomes(object, key, value);
        const before = stable.isReading() ? Object.getOwnPropertyDescriptor(object, key) : undefined;
        if (before && 'value' in before && before.value !== undefined && !Object.is(before.value, value))
          refuse(`an object whose ${String(key)} changes when it is read`);
        return property;
      }
      const isHook = hides || shadowsBuiltin(key, kind);
      const compares = isComparison(key) && key !== entryPoint;
      if (!isHook && !compares && !get && key !== Symbol.iterator) return property;
      const known = adapted.get(object) ?? new Map<string | symbol, { of: unknown; as: Property }>();
      adapted.set(object, known);
      const last = known.get(key);
      if (last && last.of === (get ?? value)) return last.as;
      const as = guarded(property, object, isHook, compares);
      known.set(key, { of: get ?? value, as });
      return as;
    },
    inherit(prototype, { object, kind }, isNew) {
      if (!isNew && stable.isReading() && (isPlainKind(kind) || Object.getPrototypeOf(object) !== prototype))
        refuse(`${nameOf(kind)} that changes when something is read`);
      if (!isPlainKind(kind) || prototype === null || typeof prototype !== 'object') return;
      if (!isBuiltin(prototype) && !isTrusted(prototype)) refuse(`${nameOf(kind)} with methods of its own`);
    },
    protect({ object, kind }) {
      const isPrototype = typeof Object.getOwnPropertyDescriptor(object, 'constructor')?.value === 'function';
      if (kind === 'function' || isPrototype) refuse("a function of the tests' own, changed");
      if (kept.has(object)) refuse('an object that the task declares, changed');
      if (isFailure(object)) refuse('an error of a failed assertion, changed');
    },
    stays(object) {
      if (object === process || object === globalThis) return "Node's own process";
      if (Buffer.isBuffer(object)) return 'a Buffer';
      if (typeof object !== 'function') return types.isProxy(object) ? 'a Proxy' : undefined;
      return given.includes(object) ? undefined : "a function of Node's";
    },
    trustClass(maker) {
      if (typeof maker !== 'function') return;
      const chain = (start: unknown): void => {
        for (let each = start; typeof each === 'function' || typeof each === 'object'; ) {
          if (each === null || isBuiltin(each)) return;
          trusted.add(each);
          each = Object.getPrototypeOf(each);
        }
      };
      chain(maker);
      chain(Reflect.get(maker, 'prototype'));
    },
    trustModule: exported => void trusted.add(exported),
    keep: object => void kept.add(object),
    describe: stable.describe,
    called: stable.called,
  };
}

function nameOf(kind: Kind): string {
  return /^[aeiou]/i.test(kind) ? `an ${kind}` : `a ${kind}`;
}
