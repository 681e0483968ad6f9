import { AsyncLocalStorage } from 'node:async_hooks';
import { runInNewContext } from 'node:vm';
import { builtinsFrom } from '../realm/freeze.ts';

/**
 * Keeps the functions of the language and of Node's timers as they are, for the tests and for the program that runs
 * them: what the candidate assigns to their names has no effect. Objects can still have functions of their own under
 * the same names, and new names can be added. `replaced` are the names that stay open.
 */
export function lockBuiltins(replaced: ReadonlySet<string>): void {
  const ofLanguage = runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[];
  const names = ofLanguage.filter(name => name in globalThis && !/^(globalThis|console)$/.test(name));
  for (const object of builtinsFrom(names.map(name => Reflect.get(globalThis, name))))
    for (const key of Reflect.ownKeys(object)) if (!replaced.has(String(key))) lock(object, key);
  Object.freeze(AsyncLocalStorage.prototype);
  // Mocks replace timers.
  if (replaced.has('mock')) return;
  const timers = Object.keys(globalThis).filter(name => /^(set|clear|queue)/.test(name));
  for (const name of [...names, ...timers])
    if (!replaced.has(name))
      Object.defineProperty(globalThis, name, { writable: false, configurable: false });
}

function lock(object: object, key: PropertyKey): void {
  const found = Object.getOwnPropertyDescriptor(object, key);
  // A constructor's name is how values are shown.
  if (!found?.configurable || key === 'constructor') return;
  const { value, enumerable } = found;
  if (found.get || found.set) Object.defineProperty(object, key, { configurable: false });
  else if (typeof value === 'function')
    Object.defineProperty(object, key, {
      get: () => value,
      set(this: unknown, own: unknown) {
        // An object that inherits the function.
        if (this !== object && Object(this) === this)
          Object.defineProperty(this, key, {
            value: own,
            writable: true,
            enumerable: true,
            configurable: true,
          });
      },
      enumerable: enumerable === true,
      configurable: false,
    });
}
