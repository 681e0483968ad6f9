/**
 * The prototypes of the language's types, found through these names of the realm's global object, except the types and
 * namespaces that are named.
 */
export function instancePrototypes(names: readonly string[], except: readonly string[]): object[] {
  const found = new Set<object>();
  const visit = (holder: object, names: readonly string[], depth: number): void => {
    for (const name of names) {
      if (except.includes(name)) continue;
      // What has a getter belongs to Node.
      const value: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (typeof value === 'function') {
        const prototype: unknown = Object.getOwnPropertyDescriptor(value, 'prototype')?.value;
        if (typeof prototype === 'object' && prototype !== null && isNative(value)) found.add(prototype);
      } else if (typeof value === 'object' && value !== null && value !== globalThis && depth > 0)
        visit(value, Object.getOwnPropertyNames(value), depth - 1);
    }
  };
  visit(globalThis, names, 1);
  return [...found];
}

/** Node's own classes are written in JavaScript. */
function isNative(value: object): boolean {
  return sourceOf.call(value).endsWith('{ [native code] }');
}

const { toString: sourceOf } = Function.prototype;
