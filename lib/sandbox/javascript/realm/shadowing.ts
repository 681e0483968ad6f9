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

/** Whether a function of this name in an object, or in a function, stands in front of one of the language's. */
export function shadowsBuiltin(name: string, isFunction: boolean): boolean {
  return (isFunction ? ofFunctions : ofObjects).has(name);
}
