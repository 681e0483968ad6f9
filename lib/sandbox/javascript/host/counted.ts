/** Node's assert, or a function of it, with a callback before each assertion. */
export function counted<T extends object>(assert: T, count: () => void): T {
  return new Proxy(assert, {
    apply(target, self, args) {
      count();
      return Reflect.apply(target as (...args: unknown[]) => unknown, self, args);
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' && name !== 'AssertionError' ? counted(value, count) : value;
    },
  });
}
