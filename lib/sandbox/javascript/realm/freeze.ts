/**
 * Freezes the builtins of the realm that runs it. A candidate that gets hold of an object of the agent's
 * realm, such as one of V8's own errors, can then change nothing that the agent uses.
 */
export function freezeIntrinsics(): void {
  for (const object of builtinsFrom([globalThis])) Object.freeze(object);
}

/** Objects that can be reached from `roots` by properties and prototypes, and those that only syntax reaches. */
export function builtinsFrom(roots: readonly unknown[]): ReadonlySet<object> {
  const seen = new Set<object>();
  const syntax = [function* () {}, async () => {}, async function* () {}, [][Symbol.iterator]()];
  const waiting = [...roots, ...syntax.map(each => Object.getPrototypeOf(each) as unknown)];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === null || (typeof next !== 'object' && typeof next !== 'function') || seen.has(next)) continue;
    seen.add(next);
    waiting.push(Object.getPrototypeOf(next));
    for (const key of Reflect.ownKeys(next)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(next, key) ?? {};
      waiting.push(value, get, set);
    }
  }
  return seen;
}
