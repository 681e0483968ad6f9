/** What happens around the assertions of Node's assert. */
export interface AssertionWatch {
  /** Called before each assertion, with its name and arguments. */
  count(name: string, args: readonly unknown[]): void;
  /** Called with an exception that an assertion expected, and with what describes it. */
  caught(thrown: unknown, expected: unknown): void;
}

type AnyFunction = (...args: unknown[]) => unknown;

/** Node's assert, or a function of it, with callbacks around each assertion. */
export function counted<T extends object>(assert: T, watch: AssertionWatch, name = 'ok'): T {
  return new Proxy(assert, {
    apply(target, self, args) {
      watch.count(name, args);
      const watched = name === 'throws' || name === 'rejects' ? watchedArgs(args, watch) : args;
      return Reflect.apply(target as AnyFunction, self, watched);
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || key === 'AssertionError') return value;
      return counted(value, watch, key === 'strict' ? 'ok' : String(key));
    },
  });
}

function watchedArgs([work, expected, ...rest]: unknown[], { caught }: AssertionWatch): unknown[] {
  const rethrow = (thrown: unknown): never => {
    caught(thrown, expected);
    throw thrown;
  };
  const settled = (value: unknown): unknown => (value instanceof Promise ? value.catch(rethrow) : value);
  const watched =
    typeof work !== 'function'
      ? settled(work)
      : () => {
          try {
            return settled((work as AnyFunction)());
          } catch (thrown) {
            return rethrow(thrown);
          }
        };
  return expected === undefined && rest.length === 0 ? [watched] : [watched, expected, ...rest];
}
