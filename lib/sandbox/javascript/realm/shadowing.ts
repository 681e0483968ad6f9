import type { Kind } from './intrinsics.ts';

/**
 * Names under which a result must not have functions of its own. Tests that call them mean the language's
 * methods: `result.includes(4)` asks what the result contains, not what the candidate returns for it.
 */
const methods = [Object, Array, String, Number, BigInt, Promise, RegExp, Date].flatMap(({ prototype }) =>
  Object.getOwnPropertyNames(prototype),
);

/** Data, names that hand-made stacks and queues use, and the HTML methods that nobody calls on a string. */
const harmless =
  `constructor length push pop shift unshift source flags global sticky unicode anchor big blink bold fixed fontcolor
   fontsize italics link small strike sub sup __proto__`.split(/\s+/);

const ofObjects = new Set([...methods, 'has', 'toJSON'].filter(name => !harmless.includes(name)));
const ofFunctions = new Set([
  'call',
  'apply',
  'bind',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'hasOwnProperty',
]);

const ofCollections: Readonly<Record<string, object>> = { map: Map.prototype, set: Set.prototype };

/** Whether a function of this name in an object of some kind shadows one of the language. */
export function shadowsBuiltin(name: string, kind: Kind): boolean {
  if (kind === 'function') return ofFunctions.has(name);
  return ofObjects.has(name) || (name !== 'constructor' && Object.hasOwn(ofCollections[kind] ?? {}, name));
}
