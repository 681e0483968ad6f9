/**
 * Names under which a result must bring no function of its own. The tests that call them mean the language's
 * methods: `result.includes(4)` asks what the result holds, and not what its maker wants it to say.
 */
const builtinNames = new Set(
  [Object, Array, String, Number, BigInt, Promise, RegExp, Date, Function]
    .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    .concat(['has', 'toJSON']),
);

/** A stack or a queue made by hand has these, and they decide nothing by themselves. */
const harmless = ['constructor', 'push', 'pop', 'shift', 'unshift'];
for (const name of harmless) builtinNames.delete(name);

/** Whether a function of this name in an object stands in front of one of the language's. */
export function shadowsBuiltin(name: string): boolean {
  return builtinNames.has(name);
}
