import type { SyntaxParser } from '../syntax/parser.ts';

/** What the annotation of a parameter allows besides what calls gave it. */
export interface DeclaredType {
  /** Numbers with a fraction, on their own or in a collection. */
  readonly fractions: boolean;
  readonly none: boolean;
}

/** Of the positional parameters of a Python function, in order; empty for other languages. */
export function declaredTypes(parser: SyntaxParser, program: string, name: string): DeclaredType[] {
  if (parser.language !== 'python') return [];
  const found = parser
    .statements(program)
    .findLast(({ defines, signature }) => signature && defines.includes(name));
  const { text = '', parameters = [] } = found?.signature ?? {};
  return parameters
    .filter(({ kind }) => kind === 'positional')
    .map(parameter => {
      const [, annotation = ''] =
        new RegExp(`[(,]\\s*${parameter.name}\\s*:((?:\\[[^()=]*\\]|[^,=)])*)`).exec(text) ?? [];
      return {
        fractions: /\bfloat\b/.test(annotation),
        none: /^\s*(?:typing\.)?Optional\b|\|\s*None\b/.test(annotation),
      };
    });
}
