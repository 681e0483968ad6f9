import type { SyntaxParser } from '../parser.ts';
import { functionHeaders, openBraces } from '../source-text.ts';

/**
 * A Java program from methods that stand alone: in the class of a declaration, in place of the method with which the
 * declaration ends. Imports that the declaration lacks come first.
 */
export function inDeclaredClass(parser: SyntaxParser, declaration: string, methods: string): string {
  const classes = openBraces(declaration) - 1;
  const start = functionHeaders(declaration, classes).at(-1)?.start;
  if (start === undefined) return methods;
  const statements = parser.statements(methods);
  const imports = statements.filter(({ kind, text }) => kind === 'import' && !declaration.includes(text));
  const members = statements.filter(({ kind }) => kind !== 'import');
  const margin = /[ \t]*$/.exec(declaration.slice(0, start))?.[0] ?? '';
  return [
    ...imports.map(({ text }) => text),
    declaration.slice(0, start) + members.map(({ text }) => indented(text, margin)).join(`\n\n${margin}`),
    ...Array<string>(classes).fill('}'),
    '',
  ].join('\n');
}

/** Lines of a text block count as they are. */
function indented(text: string, margin: string): string {
  return text.includes('"""') ? text : text.replace(/\n(?=.)/g, `\n${margin}`);
}
