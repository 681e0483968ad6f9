import type { Kind } from './intrinsics.ts';

/**
 * Names under which a result must bring no function of its own. The tests that call them mean the language's
 * methods: `result.includes(4)` asks what the result holds, and not what its maker wants it to say.
 */
const methods = [Object, Array, String, Number, BigInt, Promise, RegExp, Date].flatMap(({ prototype }) =>
  Object.getOwnPropertyNames(prototype),
);

/** Data, what a stack or a queue made by hand has, and the methods for HTML that nobody calls on a string. */
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

/** Whether a function of this name in an object of some kind stands in front of one of the language's. */
export function shadowsBuiltin(name: string, kind: Kind): boolean {
  if (kind === 'function') return ofFunctions.has(name);
  return ofObjects.has(name) || (name !== 'constructor' && Object.hasOwn(ofCollections[kind] ?? {}, name));
}
