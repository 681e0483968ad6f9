/** What all objects of a type have in common, and the functions that tests compute with. */
const names =
  'Object Array String Number Boolean Symbol BigInt Date RegExp Map Set Promise Error TypeError RangeError Math JSON Reflect';

/**
 * Notes the functions of the language, and which names there are. The result says later what differs. Tests that replace
 * them are judged in one process, so in the judge it was a key of a result, such as `__proto__` in `table[f(1)][f(2)] = 0`.
 */
export function builtinChanges(): () => string | undefined {
  const known = names.split(' ').flatMap(name => {
    const builtin = Reflect.get(globalThis, name) as object & { prototype?: object };
    const objects: [string, object][] = [[name, builtin]];
    if (builtin.prototype) objects.push([`${name}.prototype`, builtin.prototype]);
    return objects.map(([path, object]) => ({ path, object, values: valuesOf(object) }));
  });
  return () => {
    for (const { path, object, values } of known) {
      const now = valuesOf(object);
      // Node's own modules set the length of stack traces.
      for (const key of new Set([...values.keys(), ...now.keys()]))
        if (now.get(key) !== values.get(key) || (!values.has(key) && path !== 'Error'))
          return `${path}.${String(key)}`;
    }
    return undefined;
  };
}

/** The functions of an object by name; other values do not count, only that they are there. */
function valuesOf(object: object): ReadonlyMap<PropertyKey, unknown> {
  return new Map(
    Reflect.ownKeys(object).map(key => {
      const { value } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      return [key, typeof value === 'function' ? value : undefined];
    }),
  );
}
