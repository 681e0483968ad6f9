/**
 * Freezes the builtins of the realm that runs it. A candidate that gets hold of an object of the agent's
 * realm, such as one of V8's own errors, can then change nothing that the agent uses.
 */
export function freezeIntrinsics(): void {
  const seen = new Set<object>();
  const waiting: unknown[] = [globalThis];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (next === null || (typeof next !== 'object' && typeof next !== 'function') || seen.has(next)) continue;
    seen.add(next);
    waiting.push(Object.getPrototypeOf(next));
    for (const key of Reflect.ownKeys(next)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(next, key) ?? {};
      waiting.push(value, get, set);
    }
  }
  for (const syntax of [function* () {}, async () => {}, async function* () {}, [][Symbol.iterator]()]) {
    for (let object: object | null = syntax; object; object = Object.getPrototypeOf(object)) seen.add(object);
  }
  for (const object of seen) Object.freeze(object);
}
