/** The JavaScript that runs inside an execution, as plain.py, observe.py and record-calls.py do for Python. */

/** Values as plain data, see value.ts. */
export const plainValues = `
const MAX_DEPTH = 20, MAX_LENGTH = 2000;
const plain = (value, depth = 0) => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return ['undefined'];
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : ['float', Object.is(value, -0) ? '-0' : String(value)];
  if (typeof value === 'bigint') return ['int', String(value)];
  const inner = depth + 1;
  if (depth < MAX_DEPTH && typeof value === 'object') {
    if (Array.isArray(value)) return ['list', Array.from(value, item => plain(item, inner))];
    const form = Object.getPrototypeOf(value);
    const entries = pairs => Array.from(pairs, ([key, of]) => [plain(key, inner), plain(of, inner)]);
    if (form === null || form === Object.prototype) return ['object', entries(Object.entries(value))];
    if (form === Map.prototype) return ['map', entries(value)];
    if (form === Set.prototype) return ['set', Array.from(value, item => plain(item, inner))];
  }
  return ['other', typeof value === 'object' ? String(value.constructor?.name) : typeof value];
};
const hash = text => {
  let [a, b] = [5381, 52711];
  for (let at = 0; at < text.length; at++) {
    a = (Math.imul(a, 33) ^ text.charCodeAt(at)) | 0;
    b = (Math.imul(b, 31) + text.charCodeAt(at)) | 0;
  }
  return text.length + ':' + (a >>> 0).toString(16) + (b >>> 0).toString(16);
};
const limited = value => {
  const text = JSON.stringify(value);
  return text.length <= MAX_LENGTH ? value : ['long', text.slice(0, 200), hash(text)];
};
const real = value => {
  if (!Array.isArray(value)) return value;
  const [kind, content] = value;
  if (kind === 'undefined') return undefined;
  if (kind === 'int') return BigInt(content);
  if (kind === 'float') return Number(content);
  if (kind === 'list') return content.map(real);
  if (kind === 'set') return new Set(content.map(real));
  const entries = content.map(([key, of]) => [real(key), real(of)]);
  return kind === 'map' ? new Map(entries) : Object.fromEntries(entries);
};
`;

/**
 * Calls a function with many inputs; prints a line "@number outcome" for each. `make` gets what counts a step, and a
 * silent console, and returns the function. `take` gets each outcome, and returns false for no more.
 */
export const observing = `
const observe = (make, inputs, limits, first, budget, print) => {
  eachOutcome(make, inputs, limits, budget, (outcome, number) => {
    print('\\n@' + (first + number) + ' ' + JSON.stringify(outcome));
    return true;
  });
  return 1;
};
const eachOutcome = (make, inputs, limits, budget, take) => {
  let steps = 0, limit = 100000;
  const step = () => { if (++steps > limit) throw new RangeError('too many steps'); };
  const silent = Object.fromEntries(['assert', 'log', 'error', 'warn', 'info', 'debug'].map(method => [method, () => {}]));
  const called = make(step, silent);
  for (const [number, input] of inputs.entries()) {
    const given = input.map(real);
    const before = JSON.stringify(given.map(value => plain(value)));
    [steps, limit] = [0, limits[number]];
    let outcome = {};
    try {
      outcome.value = limited(plain(called(...given)));
    } catch (error) {
      outcome.raised = String(error?.constructor?.name ?? typeof error);
    }
    if (steps > limit) outcome = { raised: 'did not end' };
    const after = given.map(value => plain(value));
    if (JSON.stringify(after) !== before) outcome.changed = after.map(limited);
    if (!take({ ...outcome, steps }, number)) break;
    budget -= steps;
    if (budget < 0) break;
  }
};
`;

/** Prints "@number" for each of many programs that does the same as one that failed, as alike.py does. */
export const findingAlike = `
const alike = (failed, programs, inputs, limits, budget, print) => {
  const text = ({ steps, ...outcome }) => JSON.stringify(outcome);
  const known = failed.map(make => {
    const texts = [];
    eachOutcome(make, inputs, limits, budget, outcome => texts.push(text(outcome)) > 0);
    return texts;
  });
  for (const [number, make] of programs.entries()) {
    let left = known.filter(texts => texts.length > 0);
    try {
      eachOutcome(make, inputs, limits, budget, (outcome, at) => {
        left = left.filter(texts => at >= texts.length || texts[at] === text(outcome));
        return left.length > 0;
      });
    } catch {
      continue;
    }
    if (left.length > 0) print('\\n@' + number);
  }
  return 1;
};
`;

/** Prints a line "@call arguments" for each different call of a function, up to 400, before it is called. */
export const recording = `
const noteCall = (given, seen, print) => {
  try {
    const line = JSON.stringify(given.map(value => limited(plain(value))));
    if (seen.size < 400 && !seen.has(line)) {
      seen.add(line);
      print('\\n@call ' + line);
    }
  } catch {}
};
const recorded = (called, seen, print) => function (...given) {
  noteCall(given, seen, print);
  return called.apply(this, given);
};
`;
