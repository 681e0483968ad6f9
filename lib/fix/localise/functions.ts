import type { Node } from '@vscode/tree-sitter-wasm';
import type { Repairable } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';

/** A function of the project and its location, or a constant that functions read. */
export interface ProjectFunction {
  readonly kind: Repairable;
  readonly file: SourceFile;
  readonly name: string;
  /** Qualified by the classes and functions around it: `Basket.total`. */
  readonly qualified: string;
  /** 1-based; the first line includes decorators. */
  readonly firstLine: number;
  /** The line of its header, without decorators. */
  readonly headerLine: number;
  /** The first line of its body, or of its value. */
  readonly bodyLine: number;
  readonly lastLine: number;
  /** The functions that read a constant, and the lines; empty for a function. */
  readonly reads: readonly ConstantRead[];
}

export interface ConstantRead {
  readonly reader: ProjectFunction;
  readonly line: number;
}

/**
 * The first 4096 functions of a file in source order, including methods and nested functions, except for those with more
 * than 2^15 syntax nodes. They are found once for each file.
 */
export function functionsIn(parser: SyntaxParser, file: SourceFile): ProjectFunction[] {
  return everyFunction(parser, file).filter(each => !longFunctions.has(each));
}

/** The functions of a file that are too long to be repaired, and whether more follow the first 4096. */
export function excessFunctions(
  parser: SyntaxParser,
  file: SourceFile,
): { readonly long: readonly ProjectFunction[]; readonly hasMore: boolean } {
  const long = everyFunction(parser, file).filter(each => longFunctions.has(each));
  return { long, hasMore: cutFiles.has(file) };
}

function everyFunction(parser: SyntaxParser, file: SourceFile): readonly ProjectFunction[] {
  const cached = knownFunctions.get(file);
  if (cached) return cached;
  // A byte-order mark is not part of the program, and tree-sitter counts lines without it.
  const functions = parser.read(file.text, root => {
    const nodes = root.descendantsOfType(FUNCTION_TYPES);
    if (nodes.length > MAX_FUNCTIONS) cutFiles.add(file);
    return nodes.slice(0, MAX_FUNCTIONS).flatMap(node => {
      const name = node && nameOf(node);
      const body = name === null ? null : node?.childForFieldName('body');
      if (!node || name === null || !body) return [];
      const each = projectFunction('function', file, { node, name, body });
      if (node.descendantCount > MAX_NODES) longFunctions.add(each);
      return [each];
    });
  });
  knownFunctions.set(file, functions);
  return functions;
}

/** The parent of a node is searched from the root. */
export const MAX_FUNCTIONS = 4096;
/** Some 3,000 lines. The edits of a function are made from lists of all its nodes. */
export const MAX_NODES = 2 ** 15;

const knownFunctions = new WeakMap<SourceFile, readonly ProjectFunction[]>();
const longFunctions = new WeakSet<ProjectFunction>();
/** Files with more functions. */
const cutFiles = new WeakSet<SourceFile>();

/** @param node a function, or the value of a constant */
export function projectFunction(
  kind: ProjectFunction['kind'],
  file: SourceFile,
  { node, name, body }: { readonly node: Node; readonly name: string; readonly body: Node },
): ProjectFunction {
  const whole = wholeOf(node);
  const header = kind === 'function' ? node : whole;
  return {
    kind,
    file,
    name,
    qualified: [...ownersOf(node), name].join('.'),
    firstLine: whole.startPosition.row + 1,
    headerLine: header.startPosition.row + 1,
    bodyLine: body.startPosition.row + 1,
    lastLine: lastRow(whole) + 1,
    reads: [],
  };
}

/** A node may end after the line break of its last line. */
function lastRow({ startPosition, endPosition }: Node): number {
  const isBehind = endPosition.column === 0 && endPosition.row > startPosition.row;
  return endPosition.row - (isBehind ? 1 : 0);
}

const DEFINITIONS = [
  'function_definition',
  'function_declaration',
  'generator_function_declaration',
  'method_definition',
];
/** Those that are values have the name of what they are assigned to. */
const VALUES = ['arrow_function', 'function_expression', 'generator_function'];
const FUNCTION_TYPES = [...DEFINITIONS, ...VALUES];

/** The name of the function that a node defines; null if it defines none. */
function nameOf(node: Node): string | null {
  if (DEFINITIONS.includes(node.type)) return node.childForFieldName('name')?.text ?? null;
  if (!VALUES.includes(node.type)) return null;
  const { parent } = node;
  if (parent?.type === 'export_statement') return 'default';
  if (parent?.type === 'variable_declarator') return parent.childForFieldName('name')?.text ?? null;
  if (parent?.type === 'pair')
    return parent.childForFieldName('key')?.text.replace(/^(['"])(.*)\1$/, '$2') ?? null;
  if (/field_definition$/.test(parent?.type ?? ''))
    return (parent?.childForFieldName('property') ?? parent?.childForFieldName('name'))?.text ?? null;
  if (parent?.type !== 'assignment_expression') return null;
  const left = parent.childForFieldName('left');
  return left?.childForFieldName('property')?.text ?? left?.text ?? null;
}

/** Includes decorators, or the part of the statement that gives the function its name. */
function wholeOf(node: Node): Node {
  const { parent } = node;
  if (!parent) return node;
  if (parent.type === 'decorated_definition' || parent.type === 'export_statement') return wholeOf(parent);
  if (/field_definition$/.test(parent.type)) return parent;
  if (/^(?:variable_declarator|pair|assignment(?:_expression)?)$/.test(parent.type)) {
    const above = parent.parent;
    return /^(?:lexical_declaration|variable_declaration|expression_statement)$/.test(above?.type ?? '')
      ? wholeOf(above ?? parent)
      : parent;
  }
  return node;
}

function ownersOf(node: Node): string[] {
  const owners: string[] = [];
  for (let above = node.parent; above; above = above.parent) {
    const name = /^(?:abstract_)?class|^object$/.test(above.type) ? ownerName(above) : nameOf(above);
    if (name) owners.unshift(name);
  }
  return owners;
}

/** The name of a class, or of the variable that a class or an object is the value of. */
function ownerName(node: Node): string | undefined {
  const { parent } = node;
  const variable = parent?.type === 'variable_declarator' ? parent : null;
  return (node.childForFieldName('name') ?? variable?.childForFieldName('name'))?.text;
}

/** Whether a line, counted from 1, is one of the function's. */
export function hasLine(
  { firstLine, lastLine }: Pick<ProjectFunction, 'firstLine' | 'lastLine'>,
  line: number,
): boolean {
  return firstLine <= line && line <= lastLine;
}

/** For each line of a file, the innermost function that contains it, from its header on. */
export function functionsByLine(
  functions: readonly ProjectFunction[],
): (line: number) => ProjectFunction | null {
  // Of two that start on one line, the first counts, so that it is taken for the inner one.
  const sorted = functions.toReversed().toSorted((a, b) => a.headerLine - b.headerLine);
  const around: (number | null)[] = [];
  let outer: number | null = null;
  for (const [index, { lastLine }] of sorted.entries()) {
    while (outer !== null && (sorted[outer]?.lastLine ?? 0) <= lastLine) outer = around[outer] ?? null;
    around.push(outer);
    outer = index;
  }
  return line => {
    let index: number | null = lastUpTo(line, sorted, each => each.headerLine);
    while (index !== null && (sorted[index]?.lastLine ?? 0) < line) index = around[index] ?? null;
    return index === null ? null : (sorted[index] ?? null);
  };
}

/** The index of the last value that is not below a line. @param sorted by line */
export function lastUpTo<Value>(
  line: number,
  sorted: readonly Value[],
  lineOf: (value: Value) => number,
): number | null {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle];
    if (value !== undefined && lineOf(value) <= line) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}

/** Whether a test executed a line of the function's body, or of a function that reads the constant. */
export function executes(test: TestResult, { file, bodyLine, lastLine, reads }: ProjectFunction): boolean {
  const lines = test.lines?.[file.path] ?? [];
  return (
    lines.some(line => bodyLine <= line && line <= lastLine) ||
    reads.some(({ reader }) => executes(test, reader))
  );
}
