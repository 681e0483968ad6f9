import { readFileSync } from 'node:fs';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Language, Task } from '../../core/task.ts';
import { packageFile } from '../../files/package.ts';
import { descendants, isLoop } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { Input } from './generate.ts';

/** The languages whose programs can be observed. */
export function isObserved(language: Language): boolean {
  return language === 'python' || language === 'js';
}

/** An execution that calls a function with many inputs and prints what each call did. */
interface ObservedProgram {
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: string;
  /** Calls nothing. */
  readonly reference: string;
}

export interface ObservedCalls {
  readonly inputs: readonly Input[];
  /** Steps that each call may take: loop iterations and calls. */
  readonly limits: readonly number[];
  /** Steps that all calls may take together; those that would begin later are left out. */
  readonly budget: number;
  /** Processor time that a single call of Python may take, since builtins have no steps; 1 by default. */
  readonly seconds?: number | undefined;
}

/** @param first the number of the first input */
export function observedProgram(
  parser: SyntaxParser,
  entryPoint: string,
  program: string,
  { inputs, limits, budget, seconds = 1 }: ObservedCalls,
  first: number,
): ObservedProgram {
  if (parser.language === 'js') {
    const literals = [inputs, limits, first, budget].map(value => JSON.stringify(value)).join(', ');
    const call = `observe(${makerOf(parser, entryPoint, program)}, ${literals}, line => console.log(line))`;
    return javascriptProgram([observing], call);
  }
  const callArguments = [program, entryPoint, inputs, limits, first, budget];
  return pythonProgram(parser, [program], ['observe'], 'observe', callArguments, seconds);
}

/** Prints the numbers of the programs that do the same as one that failed, with the inputs that the budget allows. */
export function alikeProgram(
  parser: SyntaxParser,
  entryPoint: string,
  { failed, programs }: { readonly failed: readonly string[]; readonly programs: readonly string[] },
  { inputs, limits, budget }: ObservedCalls,
): ObservedProgram {
  if (parser.language === 'js') {
    const makers = (all: readonly string[]) =>
      `[${all.map(program => makerOf(parser, entryPoint, program)).join(',\n')}]`;
    const literals = [inputs, limits, budget].map(value => JSON.stringify(value)).join(', ');
    const call = `alike(${makers(failed)}, ${makers(programs)}, ${literals}, line => console.log(line))`;
    return javascriptProgram([observing, findingAlike], call);
  }
  const callArguments = [failed, programs, entryPoint, inputs, limits, budget];
  return pythonProgram(parser, [...failed, ...programs], ['observe', 'alike'], 'alike', callArguments);
}

/** A function that compiles the program and returns its entry point. */
function makerOf(parser: SyntaxParser, entryPoint: string, program: string): string {
  const body = JSON.stringify(`${withSteps(parser, program)}\n${returning(entryPoint)}`);
  const names = "'$step', 'console', 'require', 'module', 'exports'";
  return `(step, silent, module = { exports: {} }) => new Function(${names}, ${body})(step, silent, load, module, module.exports)`;
}

/** A program may define its entry point, or only export it. */
function returning(entryPoint: string): string {
  return `return typeof ${entryPoint} === 'undefined' ? module.exports.${entryPoint} : ${entryPoint};`;
}

function javascriptProgram(parts: readonly string[], call: string): ObservedProgram {
  return {
    candidate: `${plainValues}
${parts.join('\n')}
const load = typeof require === 'undefined' ? undefined : require;
const observe_all = () => ${call};
`,
    tests: 'console.assert(observe_all() === 1)\n',
    entryPoint: 'observe_all',
    reference: 'const observe_all = () => 1;\n',
  };
}

/** @param callArguments arguments of the function that is called, before the names that the programs may use */
function pythonProgram(
  parser: SyntaxParser,
  programs: readonly string[],
  parts: readonly string[],
  called: string,
  callArguments: readonly unknown[],
  seconds?: number,
): ObservedProgram {
  // JSON in a string, since its null, true and false are no Python.
  const values = callArguments.map(part => `json.loads(${JSON.stringify(JSON.stringify(part))})`).join(', ');
  // Mentioning the names that a program needs makes the sandbox provide them.
  const needs = new Set(
    programs.flatMap(program => parser.statements(program).flatMap(statement => statement.needs)),
  );
  const named = [...needs].map(
    name => `    try: names[${JSON.stringify(name)}] = ${name}\n    except NameError: pass\n`,
  );
  const body = `def observe_all():\n    names = {}\n${named.join('')}    ${called}(${values}, names${seconds === undefined ? '' : `, ${seconds}`})\n`;
  return {
    candidate: [stepsProgram(), source('plain'), ...parts.map(source), body].join('\n\n'),
    tests: 'assert observe_all() is None\n',
    entryPoint: 'observe_all',
    reference: 'def observe_all():\n    pass\n',
  };
}

/** The same program, with an entry point that prints the arguments of its calls. */
export function recordingProgram(
  { language, entryPoint }: Pick<Task, 'language' | 'entryPoint'>,
  program: string,
) {
  if (language === 'js') {
    const inside = `(() => {\n${program}\n${returning(entryPoint)}\n})()`;
    // Not `const`, which `typeof` cannot read before it has a value.
    return `var ${entryPoint} = (() => {\n${plainValues}\n${recording}\nreturn recorded(${inside}, new Set(), line => console.log(line));\n})();\n`;
  }
  return `${program}\n\n${source('plain')}\n\n${source('record-calls')}\n\n${entryPoint} = recorded(${entryPoint})\n`;
}

/** The source of one of the programs in Python. */
export function source(name: string): string {
  return readFileSync(packageFile(`lib/repair/behaviour/${name}.py`), 'utf8');
}

/** The Python code that counts steps, for the beginning of a candidate. */
export function stepsProgram(): string {
  return readFileSync(packageFile('lib/repair/behaviour/steps.py'), 'utf8');
}

/** Calls `$step` in each loop iteration and each call of a JavaScript program. */
export function withSteps(parser: SyntaxParser, program: string): string {
  const places = parser.read(program, root =>
    descendants(root).flatMap(node => {
      const body = isLoop(node) || isFunction(node) ? node.childForFieldName('body') : null;
      if (!body) return [];
      if (body.type === 'statement_block') return [{ offset: body.startIndex + 1, text: '$step();' }];
      const [before, after] = isLoop(node) ? ['{$step();', '}'] : ['($step(),', ')'];
      return [
        { offset: body.startIndex, text: before },
        { offset: body.endIndex, text: after },
      ];
    }),
  );
  return places
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((text, { offset, text: added }) => text.slice(0, offset) + added + text.slice(offset), program);
}

function isFunction({ type }: Node): boolean {
  return /^(?:arrow_function|function_expression|generator_function|(?:generator_)?function_declaration|method_definition)$/.test(
    type,
  );
}

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
const findingAlike = `
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
