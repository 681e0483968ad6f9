import { type Node as AcornNode, parse } from 'acorn';
import { type AnyNode, isNode, nameOf } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/** An ECMAScript module as a CommonJS module, for programs that must be scripts. */
export interface ModuleScript {
  /** Has the same lines; code after the last of them fills `exports`. */
  readonly code: string;
  readonly exports: readonly string[];
}

/**
 * Turns imports into calls of `require` and exports into properties of `exports`. Null if the code is not a
 * module or uses what a script cannot: `export … from`, `import.meta`, or top-level `await` unless `awaits`
 * is set.
 */
export function moduleToScript(code: string, { awaits = false } = {}): ModuleScript | null {
  const body = statementsOf(code, awaits);
  if (!body?.some(({ type }) => /^(Import|Export)/.test(type)) || code.includes('import.meta')) return null;
  const exports: [name: string, expression: string][] = [];
  let result = "'use strict';";
  let from = 0;
  const replace = (start: number, end: number, text: string): void => {
    // Line numbers do not change.
    const lines = code.slice(start, end).replace(/[^\n]/g, '');
    result += code.slice(from, start) + text + lines;
    from = end;
  };
  for (const node of body) {
    if (node.type === 'ImportDeclaration') replace(node.start, node.end, importText(node));
    else if (node.type === 'ExportDefaultDeclaration') {
      const value = node.declaration as AnyNode;
      const name = isNode(value.id) ? String(value.id.name) : null;
      const isNamed = /Declaration$/.test(value.type) && name !== null;
      replace(node.start, value.start, isNamed ? '' : 'exports.default = ');
      if (isNamed) exports.push(['default', name]);
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.source) return null;
      if (isNode(node.declaration)) {
        replace(node.start, node.declaration.start, '');
        for (const name of declaredNames(node.declaration as AnyNode)) exports.push([name, name]);
      } else {
        replace(node.start, node.end, '');
        for (const specifier of node.specifiers as AnyNode[])
          exports.push([nameOf(specifier.exported), nameOf(specifier.local)]);
      }
    } else if (node.type === 'ExportAllDeclaration') return null;
  }
  result += code.slice(from);
  const getters = exports.map(([name, value]) => `get ${JSON.stringify(name)}() { return ${value} }`);
  const filled = `Object.defineProperties(exports, Object.getOwnPropertyDescriptors({ ${getters.join()} }))`;
  return {
    code: exports.length > 0 ? `${result}\n;${filled};` : result,
    exports: exports.map(([name]) => name).concat(result.includes('exports.default = ') ? ['default'] : []),
  };
}

function statementsOf(code: string, awaits: boolean): AnyNode[] | null {
  if (!/^[ \t\uFEFF]*(import|export)\b/m.test(code)) return null;
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;
    const tree = parse(code, { ...options, allowAwaitOutsideFunction: awaits });
    return (tree as AcornNode as AnyNode).body as AnyNode[];
  } catch {
    return null;
  }
}

function importText(node: AnyNode): string {
  const source = `require(${JSON.stringify((node.source as AnyNode).value)})`;
  const named: string[] = [];
  let text = '';
  for (const specifier of node.specifiers as AnyNode[]) {
    const local = nameOf(specifier.local);
    const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default';
    if (specifier.type === 'ImportNamespaceSpecifier') text += `const ${local} = ${source};`;
    else if (imported === 'default')
      text += `const ${local} = (m => m.default === undefined ? m : m.default)(${source});`;
    else named.push(`${JSON.stringify(imported)}: ${local}`);
  }
  if (named.length > 0) text += `const { ${named.join()} } = ${source};`;
  return text === '' ? `${source};` : text;
}

function declaredNames(declaration: AnyNode): string[] {
  if (isNode(declaration.id)) return [nameOf(declaration.id)];
  return (declaration.declarations as AnyNode[]).flatMap(({ id }) => namesIn(id as AnyNode));
}
