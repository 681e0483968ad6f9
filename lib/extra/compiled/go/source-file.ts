import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';

/** What must be known about a Go file to move it into another package with the imports that it uses. */
export interface GoFile {
  readonly text: string;
  readonly imports: readonly GoImport[];
  /** Position of the package clause. */
  readonly packageClause: Range | null;
  /** Packages that it refers to: `math` in `math.Abs`. */
  readonly packages: ReadonlySet<string>;
  /** Its functions without receivers. */
  readonly functions: readonly GoFunction[];
}

export interface GoImport {
  /** As written: `m "math"`. */
  readonly spec: string;
  /** The name that the file uses for it. */
  readonly name: string;
  readonly range: Range;
}

export interface GoFunction {
  readonly name: string;
  readonly start: number;
  /** Its only parameter is a `*testing.T`. */
  readonly isTest: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export function readGoFile(parser: SyntaxParser, text: string): GoFile {
  return parser.read(text, root => {
    const top = namedChildren(root);
    const clause = top.find(node => node.type === 'package_clause');
    const imports = top.filter(node => node.type === 'import_declaration').flatMap(importsIn);
    return {
      text,
      imports,
      packageClause: clause ? rangeOf(clause) : null,
      packages: packagesIn(root, imports),
      functions: top.filter(node => node.type === 'function_declaration').map(functionOf),
    };
  });
}

/**
 * The file's text, in the package with that name. Line numbers are kept: the package clause and `unwanted`
 * imports become blanks, and a line in front sets the file's name. Standard packages that the file uses
 * without importing them are imported there.
 */
export function inPackage(
  name: string,
  fileName: string,
  file: GoFile,
  unwanted: (imported: GoImport) => boolean,
): string {
  const blanks = file.imports.filter(unwanted).map(({ range }) => range);
  const text = [...blanks, ...(file.packageClause ? [file.packageClause] : [])].reduce(blank, file.text);
  return `package ${name}; ${importLine(missingImports(file))}\n//line ${fileName}:1\n${text}\n`;
}

/** Whether the file never uses the import. */
export function isUnused(file: GoFile, { name }: GoImport): boolean {
  return name !== '_' && name !== '.' && !file.packages.has(name);
}

/** `import ("a"; "b")`, or nothing. */
export function importLine(specs: readonly string[]): string {
  return specs.length === 0 ? '' : `import (${specs.join('; ')})`;
}

function missingImports(file: GoFile): string[] {
  const imported = new Set(file.imports.map(({ name }) => name));
  return [...file.packages].filter(name => !imported.has(name)).flatMap(standardImport);
}

/** The import of a standard package. */
export function standardImport(name: string): string[] {
  const path = standardPackages.get(name);
  return path === undefined ? [] : [`"${path}"`];
}

function blank(text: string, { start, end }: Range): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
}

function importsIn(declaration: Node): GoImport[] {
  const specs = descendants(declaration).filter(node => node.type === 'import_spec');
  return specs.map(spec => {
    const path = spec.childForFieldName('path')?.text.slice(1, -1) ?? '';
    const isAlone = spec.parent?.type === 'import_declaration';
    return {
      spec: spec.text,
      name:
        spec.childForFieldName('name')?.text ??
        path
          .replace(/\/v\d+$/, '')
          .split('/')
          .at(-1) ??
        '',
      range: rangeOf(isAlone ? declaration : spec),
    };
  });
}

/** A name before a dot refers to a package if it is imported, or if the file does not define it. */
function packagesIn(root: Node, imports: readonly GoImport[]): Set<string> {
  const nodes = descendants(root);
  const imported = new Set(imports.map(({ name }) => name));
  const bound = new Set(nodes.flatMap(boundIn));
  const named = nodes.flatMap(node => {
    if (node.type === 'package_identifier' && node.parent?.type === 'qualified_type') return [node.text];
    const operand = node.type === 'selector_expression' ? node.childForFieldName('operand') : null;
    return operand?.type === 'identifier' ? [operand.text] : [];
  });
  return new Set(named.filter(name => imported.has(name) || !bound.has(name)));
}

function boundIn(node: Node): string[] {
  switch (node.type) {
    case 'parameter_declaration':
    case 'variadic_parameter_declaration':
    case 'var_spec':
    case 'const_spec':
    case 'type_spec':
    case 'function_declaration':
      return node.childrenForFieldName('name').flatMap(name => (name ? [name.text] : []));
    case 'short_var_declaration':
    case 'range_clause': {
      const left = node.childForFieldName('left');
      return left ? namedChildren(left).map(({ text }) => text) : [];
    }
    default:
      return [];
  }
}

function functionOf(node: Node): GoFunction {
  const name = fieldText(node, 'name');
  const parameters = fieldText(node, 'parameters');
  return {
    name,
    start: node.startIndex,
    isTest: /^Test(?!\p{Ll})/u.test(name) && /^\(\s*\w+\s+\*testing\.T\s*(?:,\s*)?\)$/.test(parameters),
  };
}

function rangeOf({ startIndex: start, endIndex: end }: Node): Range {
  return { start, end };
}

/**
 * Standard packages that candidates and tests may import; others, such as those for the network, are not there. The
 * keys are the names in code; packages without a key are imported only by path.
 */
const paths = (
  'bufio bytes cmp container/heap container/list container/ring context crypto/md5 crypto/sha1 ' +
  'crypto/sha256 crypto/sha512 encoding/base32 encoding/base64 encoding/binary encoding/csv ' +
  'encoding/hex encoding/json errors flag fmt hash hash/adler32 hash/crc32 hash/fnv hash/maphash ' +
  'html io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os path ' +
  'path/filepath reflect regexp runtime runtime/debug slices sort strconv strings sync sync/atomic ' +
  'text/tabwriter text/template time unicode unicode/utf16 unicode/utf8 unsafe'
).split(' ');

export const standardPaths: readonly string[] = paths;

/** The path to import for a name that code uses without importing it; `rand` is math/rand. */
const standardPackages: ReadonlyMap<string, string> = new Map([
  ...paths.filter(path => !/\/v\d+$/.test(path)).map(path => [path.split('/').at(-1) ?? '', path] as const),
  ['assert', 'github.com/stretchr/testify/assert'],
  ['testing', 'testing'],
]);
