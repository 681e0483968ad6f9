/** Functions of the judge's realm that the candidate may receive and call: what the tests' own source defines. */
export interface Given {
  includes(work: object): boolean;
  /** Notes a function that stands for another: a mock of it. Without another, it does nothing. */
  add(work: object, original: unknown): void;
  /** Has `bind` note what it binds. */
  install(): void;
}

/**
 * `sources` are the texts of the tests and of the task's helpers; `isKnown` tells which other functions may be bound
 * or mocked: those of the language and of the candidate.
 */
export function createGiven(sources: readonly string[], isKnown: (work: object) => boolean): Given {
  const originals = new WeakMap<object, unknown>();
  const sourceOf = Function.prototype.toString;
  const includes = (work: object): boolean => {
    if (originals.has(work)) {
      const original = originals.get(work);
      return typeof original !== 'function' || isKnown(original) || includes(original);
    }
    const source = Reflect.apply(sourceOf, work, []);
    // Functions that settle a promise have no name.
    if (source === 'function () { [native code] }') return Reflect.get(work, 'name') === '';
    return sources.some(text => text.includes(source));
  };
  return {
    includes,
    add: (work, original) => void originals.set(work, original),
    install() {
      const { bind } = Function.prototype;
      const noted = function (this: object, ...args: unknown[]): unknown {
        const bound = Reflect.apply(bind, this, args) as object;
        originals.set(bound, this);
        return bound;
      };
      const value = Object.defineProperty(noted, 'name', { value: 'bind' });
      Object.defineProperty(Function.prototype, 'bind', { value, writable: true, configurable: true });
    },
  };
}
