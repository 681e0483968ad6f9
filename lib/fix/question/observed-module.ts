import type { Node } from '@vscode/tree-sitter-wasm';
import type { Input } from '../../behaviour/generate.ts';
import { observing, plainValues, recording } from '../../behaviour/javascript-programs.ts';
import { source, stepsProgram, withSteps } from '../../behaviour/observed-program.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';

/** Files that also write what their functions are called with, or do, to the notes of a run. */

interface Observation {
  /** Versions of the function, which are called with all inputs. */
  readonly codes: readonly string[];
  readonly inputs: readonly Input[];
  readonly limits: readonly number[];
  readonly budget: number;
}

/** @param name a function of the module */
export function recordingPython(text: string, name: string): string {
  return withCode(text, [source('plain'), source('record-calls'), RECORD], { name });
}

const RECORD = `
import os

module[name] = recorded(module[name], open(os.environ['HEFIX_NOTES'], 'a', buffering=1))
`;

export function observingPython(text: string, name: string, given: Observation): string {
  return withCode(text, [stepsProgram(), source('plain'), source('observe'), OBSERVE], { name, ...given });
}

/** A call that takes too long ends, and with it the observation of this version, not the process. */
const OBSERVE = `
import os

def ring(number, frame):
    raise TooLong

signal.signal(signal.SIGVTALRM, ring)
notes = open(os.environ['HEFIX_NOTES'], 'a', buffering=1)
stdout = sys.stdout
for number, code in enumerate(codes):
    sys.stdout = notes
    try:
        observe(code, name, inputs, limits, number * len(inputs), budget, dict(module))
    except BaseException:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.stdout = stdout
`;

/** Adds one statement, which binds no name of the module. */
function withCode(text: string, code: readonly string[], given: object): string {
  const names = `dict(__import__('json').loads(${pythonText(given)}), module=globals(), __name__='hefix')`;
  return `${text}\nexec(__import__('json').loads(${pythonText(code.join('\n\n'))}), ${names})\n`;
}

/** JSON in a string, in ASCII: the file may have any encoding. */
function pythonText(value: unknown): string {
  const json = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return JSON.stringify(json);
}

/** Of JavaScript or TypeScript; null if the function is not one of the module itself. */
export function recordingJavaScript(
  parser: SyntaxParser,
  text: string,
  { name, headerLine }: Pick<ProjectFunction, 'name' | 'headerLine'>,
): string | null {
  return parser.read(text, root => {
    const found = descendants(root).find(
      node => node.startPosition.row + 1 === headerLine && nameOf(node) === name && isOfModule(node),
    );
    const body = found?.childForFieldName('body');
    if (!found || !body) return null;
    if (found.type !== 'function_declaration') {
      const called = `(new Function('called', ${RECORDED})(${text.slice(found.startIndex, found.endIndex)}))`;
      return text.slice(0, found.startIndex) + called + text.slice(found.endIndex);
    }
    const at = body.startIndex + 1;
    return `${text.slice(0, at)}new Function('given', ${NOTED})([...arguments]);${text.slice(at)}`;
  });
}

export function observingJavaScript(
  parser: SyntaxParser,
  text: string,
  name: string,
  given: Observation,
): string {
  const makers = given.codes.map(code => {
    const counted = withSteps(parser, code.replace(/^export\s+(?:default\s+)?/, ''));
    return `function () { const $step = arguments[0], console = arguments[1];\n${counted}\nreturn ${name}; }`;
  });
  const { inputs, limits, budget } = given;
  const values = [inputs, limits, budget].map(value => JSON.stringify(value)).join(', ');
  return `${text}\n;new Function('makers', 'inputs', 'limits', 'budget', ${OBSERVED})([${makers.join(',\n')}], ${values});\n`;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'function_declaration') return node.childForFieldName('name')?.text;
  const isValue = /^(?:arrow_function|function_expression)$/.test(node.type);
  return isValue && node.parent?.type === 'variable_declarator'
    ? node.parent.childForFieldName('name')?.text
    : undefined;
}

function isOfModule({ parent }: Node): boolean {
  if (parent?.type === 'variable_declarator') return parent.parent !== null && isOfModule(parent.parent);
  if (parent?.type === 'export_statement') return isOfModule(parent);
  return parent?.type === 'program';
}

const NOTES = `
const { appendFileSync } = process.getBuiltinModule('node:fs');
const note = text => appendFileSync(process.env.HEFIX_NOTES, text + '\\n');
`;

const NOTING = `${plainValues}${recording}${NOTES}
const seen = (globalThis[Symbol.for('hefix.seen')] ??= new Set());
`;
const RECORDED = JSON.stringify(`${NOTING}return recorded(called, seen, note);`);
const NOTED = JSON.stringify(`${NOTING}noteCall(given, seen, note);`);

const OBSERVED = JSON.stringify(`${plainValues}${observing}${NOTES}
for (const [number, make] of makers.entries()) {
  try {
    observe(make, inputs, limits, number * inputs.length, budget, note);
  } catch {}
}`);
