import { readFileSync } from 'node:fs';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Language, Task } from '../../core/task.ts';
import { packageFile } from '../../files/package-root.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { isLoop } from '../../syntax/shapes.ts';
import type { Input } from './generate.ts';
import { findingAlike, observing, plainValues, recording } from './javascript-programs.ts';

/** The languages whose programs can be observed. */
export function isObserved(language: Language): boolean {
  return language === 'python' || language === 'js';
}

/** An execution that calls a function with many inputs and prints what each call did. */
export interface ObservedProgram {
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
    const given = [inputs, limits, first, budget].map(value => JSON.stringify(value)).join(', ');
    const call = `observe(${makerOf(parser, entryPoint, program)}, ${given}, line => console.log(line))`;
    return javascriptProgram([observing], call);
  }
  const given = [program, entryPoint, inputs, limits, first, budget];
  return pythonProgram(parser, [program], ['observe'], 'observe', given, seconds);
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
    const given = [inputs, limits, budget].map(value => JSON.stringify(value)).join(', ');
    const call = `alike(${makers(failed)}, ${makers(programs)}, ${given}, line => console.log(line))`;
    return javascriptProgram([observing, findingAlike], call);
  }
  const given = [failed, programs, entryPoint, inputs, limits, budget];
  return pythonProgram(parser, [...failed, ...programs], ['observe', 'alike'], 'alike', given);
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

/** @param given arguments of the function that is called, before the names that the programs may use */
function pythonProgram(
  parser: SyntaxParser,
  programs: readonly string[],
  parts: readonly string[],
  called: string,
  given: readonly unknown[],
  seconds?: number,
): ObservedProgram {
  // JSON in a string, since its null, true and false are no Python.
  const values = given.map(part => `json.loads(${JSON.stringify(JSON.stringify(part))})`).join(', ');
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
      if (body.type === 'statement_block') return [{ at: body.startIndex + 1, text: '$step();' }];
      const [before, after] = isLoop(node) ? ['{$step();', '}'] : ['($step(),', ')'];
      return [
        { at: body.startIndex, text: before },
        { at: body.endIndex, text: after },
      ];
    }),
  );
  return places
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), program);
}

function isFunction({ type }: Node): boolean {
  return /^(?:arrow_function|function_expression|generator_function|(?:generator_)?function_declaration|method_definition)$/.test(
    type,
  );
}
