import type { SyntaxParser } from '../syntax/parser.ts';

/** What is said about the type of a parameter, besides what calls gave it. */
export interface DeclaredType {
  /** Numbers with a fraction, on their own or in a collection. */
  readonly fractions: boolean;
  readonly none: boolean;
}

/**
 * Of the positional parameters, in order: from annotations of Python, and the types that a docstring names in the
 * style of Sphinx, Google, numpydoc or JSDoc. Empty for other languages, and if nothing is known of a function's
 * parameters.
 * @param docstring what is said elsewhere than in the program
 */
export function declaredTypes(
  parser: SyntaxParser,
  program: string,
  name: string,
  docstring = '',
): DeclaredType[] {
  if (parser.language === 'js') {
    const all = `${docstring}\n${program}`.matchAll(/@param\s+\{([^}]+)\}\s+\[?[\w$]+/g);
    return [...all].map(([, type = '']) => typeOf(type));
  }
  if (parser.language !== 'python') return [];
  const found = parser
    .statements(program)
    .findLast(({ defines, signature }) => signature && defines.includes(name));
  const { text = '', parameters = [] } = found?.signature ?? {};
  return parameters
    .filter(({ kind }) => kind === 'positional')
    .map(({ name: parameter }) => {
      const [, annotation = ''] =
        new RegExp(`[(,]\\s*${parameter}\\s*:((?:\\[[^()=]*\\]|[^,=)])*)`).exec(text) ?? [];
      return typeOf(annotation, typeInDocstring(`${docstring}\n${found?.text ?? ''}`, parameter));
    });
}

function typeOf(...declared: readonly string[]): DeclaredType {
  const isNone = /^\s*(?:typing\.)?Optional\b|\bNone\b|^\s*\?|\bnull\b/;
  return {
    fractions: declared.some(type => /\bfloats?\b/.test(type)),
    none: declared.some(type => isNone.test(type)),
  };
}

function typeInDocstring(docstring: string, parameter: string): string {
  const forms = [
    `:param\\s+([^:\\n]+?)\\s+${parameter}:`,
    `:type\\s+${parameter}:\\s*([^\\n]+)`,
    `^\\s*${parameter}\\s+\\(([^)\\n]+)\\)\\s*:`,
    `^\\s*${parameter}\\s+:\\s+([^\\n]+)`,
  ];
  const types = forms.map(form => new RegExp(form, 'm').exec(docstring)?.[1] ?? '');
  return types.find(type => type !== '') ?? '';
}
