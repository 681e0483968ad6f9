import { operand } from '../../../syntax/shapes.ts';
import { binaries, type FunctionView, put, type Replacement } from '../function-view.ts';

/**
 * Replaces an operator by another of its kind: relational, arithmetic and logical operator replacement of
 * mutation testing.
 */
export function swappedOperators(view: FunctionView): Replacement[] {
  return binaries(view).flatMap(({ operator }) =>
    others(operator.type, view.language).map(text => put(operator, text)),
  );
}

/** `a - b` for `b - a`: swaps operands; `+` may concatenate strings. */
export function swappedOperands(view: FunctionView): Replacement[] {
  return binaries(view)
    .filter(({ kind, operator }) => kind === 'arithmetic' && operator.type !== '*')
    .map(({ node, left, operator, right }) =>
      put(node, `${operand(right)} ${operator.type} ${operand(left)}`),
    );
}

/** Swaps `+=`, `-=` and the like, and replaces them by `=`. */
export function swappedAssignments(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const compound =
      /assign/.test(node.type) && node.children.find(child => /^[-+*/%]=$/.test(child?.type ?? ''));
    if (/^augmented_assignment/.test(node.type) || compound) {
      const operator = node.childForFieldName('operator') ?? compound;
      return operator ? [...others(operator.type, view.language), '='].map(text => put(operator, text)) : [];
    }
    if (!/^(?:assignment|assignment_expression|assignment_statement)$/.test(node.type)) {
      return /^(?:update_expression|inc_statement|dec_statement)$/.test(node.type)
        ? [put(node, swappedUpdate(node.text))]
        : [];
    }
    const equals = node.children.find(child => child?.type === '=');
    return equals && node.childForFieldName('left')?.type !== 'pattern_list'
      ? [put(equals, '+='), put(equals, '-=')]
      : [];
  });
}

function swappedUpdate(text: string): string {
  return text.includes('++') ? text.replace('++', '--') : text.replace('--', '++');
}

function others(operator: string, language: string): string[] {
  const known: readonly (readonly string[])[] =
    families[language === 'js' || language === 'python' ? language : 'compiled'];
  const family = known.find(members => members.includes(operator));
  return family?.filter(member => member !== operator) ?? [];
}

const families = {
  python: [
    ['<', '<=', '>', '>=', '==', '!='],
    ['in', 'not in'],
    ['is', 'is not', '==', '!='],
    ['+', '-', '*', '//', '/', '%', '**'],
    ['&', '|', '^'],
    ['<<', '>>'],
    ['and', 'or'],
    ['+=', '-=', '*=', '//=', '/=', '%='],
  ],
  js: [
    ['<', '<=', '>', '>=', '===', '!=='],
    ['==', '!=', '<', '<=', '>', '>='],
    ['+', '-', '*', '/', '%', '**'],
    ['&', '|', '^'],
    ['<<', '>>', '>>>'],
    ['&&', '||'],
    ['+=', '-=', '*=', '/=', '%='],
  ],
  compiled: [
    ['<', '<=', '>', '>=', '==', '!='],
    ['+', '-', '*', '/', '%'],
    ['&', '|', '^'],
    ['<<', '>>'],
    ['&&', '||'],
    ['+=', '-=', '*=', '/=', '%='],
  ],
} as const satisfies Record<string, readonly (readonly string[])[]>;
