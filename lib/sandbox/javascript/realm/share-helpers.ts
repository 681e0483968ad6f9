import type { Intrinsics } from './intrinsics.ts';
import type { Peer } from './peer.ts';

/**
 * What the task declares besides the function to repair: judge and candidate have one copy each. Functions and
 * classes cross as each side's own, so that an instance made on one side is an instance on the other.
 */
export interface SharedHelpers {
  readonly functions: readonly { readonly name: string; readonly isPrivate: boolean }[];
  readonly objects: readonly { readonly name: string; readonly id: number }[];
}

/** In the candidate; takes JSON and returns the names of functions that it has, as text. */
export function shareHelpers(
  text: string,
  given: {
    readonly peer: Pick<Peer, 'adopt'>;
    readonly intrinsics: Intrinsics;
    /** Receives prototypes whose instances cannot cross. */
    readonly hidden: Set<object>;
    lookUp(name: string): unknown;
  },
): string {
  const { functions, objects } = JSON.parse(text) as SharedHelpers;
  const shared: string[] = [];
  for (const { name, isPrivate } of functions) {
    const value = given.lookUp(name);
    if (typeof value !== 'function') continue;
    const prototype: unknown = Reflect.get(value, 'prototype');
    if (!isPrivate) addHelper(given.intrinsics, name, value);
    else if (typeof prototype === 'object' && prototype !== null) given.hidden.add(prototype);
    if (!isPrivate) shared.push(name);
  }
  for (const { name, id } of objects) {
    const value = given.lookUp(name);
    if (typeof value === 'object' && value !== null) given.peer.adopt(id, value);
  }
  return shared.join();
}

/** Lets a function and its prototype cross by name. */
export function addHelper({ builtins }: Pick<Intrinsics, 'builtins'>, name: string, maker: object): void {
  builtins.add(`task ${name}`, maker);
  const prototype: unknown = Reflect.get(maker, 'prototype');
  if (typeof prototype === 'object' && prototype !== null) builtins.add(`task ${name}.prototype`, prototype);
}
