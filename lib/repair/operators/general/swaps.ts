import { conditionOf, isString, memberOf, operand } from '../../../syntax/nodes.ts';
import { binaries, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

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
  const languageFamilies: readonly (readonly string[])[] =
    families[language === 'js' || language === 'python' ? language : 'compiled'];
  const family = languageFamilies.find(members => members.includes(operator));
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

/** Negates whole conditions, and the operands of `and` and `or`. */
export function negatedConditions(view: FunctionView): Replacement[] {
  const parts = binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [left, right] : []));
  const conditions = [...view.nodes.flatMap(node => conditionOf(node) ?? []), ...parts];
  return conditions.map(condition => put(condition, view.syntax.not(`(${condition.text})`)));
}

/** Tests for presence instead of truth, and adds such a test to a condition. */
export function guardedConditions(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  const asked = view.nodes.flatMap(node => conditionOf(node) ?? []);
  const inner = asked.flatMap(node => (/^(?:not_operator|unary_expression)$/.test(node.type) ? [] : [node]));
  const existence = inner
    .filter(({ type }) =>
      /^(?:identifier|attribute|call|call_expression|member_expression|subscript)/.test(type),
    )
    .flatMap(node =>
      (isJs ? ['!== undefined', '!== null', '!= null'] : ['is not None', 'is None']).map(text =>
        put(node, `${node.text} ${text}`),
      ),
    );
  const negated = asked.flatMap(node => {
    const argument = node.childForFieldName('argument');
    return argument && /^(?:not_operator|unary_expression)$/.test(node.type)
      ? [put(node, isJs ? `${argument.text} == null` : `${argument.text} is None`)]
      : [];
  });
  const before = asked.flatMap(node =>
    variablesAt(view, node)
      .filter(name => name !== 'self')
      .map(name =>
        put(
          node,
          `${name} ${view.syntax.and} ${/(?:boolean|binary)/.test(node.type) && !/comparison/.test(node.type) ? `(${node.text})` : node.text}`,
        ),
      ),
  );
  return [...existence, ...negated, ...before];
}

/** Turns a comparison around where another variable is negative: counting down instead of up. */
export function mirroredComparisons(view: FunctionView): Replacement[] {
  return binaries(view).flatMap(({ node, left, operator, right }) => {
    const mirrored = opposites.get(operator.text);
    if (mirrored === undefined) return [];
    const other = `${left.text} ${mirrored} ${right.text}`;
    return variablesAt(view, node)
      .filter(name => name !== left.text && name !== right.text && name !== 'self')
      .map(name =>
        put(
          node,
          view.language === 'js'
            ? `(${name} > 0 ? ${node.text} : ${other})`
            : `(${node.text} if ${name} > 0 else ${other})`,
        ),
      );
  });
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

/** Replaces a string by the function's other strings, the empty string, a space, or the other case. */
export function otherStrings(view: FunctionView): Replacement[] {
  return view.nodes.filter(isString).flatMap(node => {
    const quote = /["']/.exec(node.text)?.[0] ?? '"';
    const inner = node.text.slice(1, -1);
    const variants = ['', ' ', inner.toUpperCase(), inner.toLowerCase(), inner.trim(), `${inner} `].map(
      text => quote + text + quote,
    );
    return [...view.strings, ...variants].filter(text => text !== node.text).map(text => put(node, text));
  });
}

/** Lets a text with the names of variables in braces show their values. */
export function interpolatedTexts(view: FunctionView): Replacement[] {
  const [slot, marked] =
    view.language === 'js'
      ? [/\$\{\s*([A-Za-z_$][\w$]*)/g, (text: string) => `\`${text.slice(1, -1)}\``]
      : [/\{([A-Za-z_]\w*)/g, (text: string) => `f${text}`];
  return view.nodes.filter(isString).flatMap(node => {
    // `'{name}'.format(name=name)` is complete.
    if (node.parent && memberOf(node.parent)) return [];
    const names = [...node.text.matchAll(slot)].map(([, name = '']) => name);
    const available = variablesAt(view, node);
    return names.length > 0 && names.every(name => available.includes(name))
      ? [put(node, marked(node.text))]
      : [];
  });
}

/** Replaces separators, file modes and similar literals, also between the values of a formatted string. */
export function otherSeparators(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    if (/^(?:string_content|string_fragment|template_chars)$/.test(node.type)) {
      return alternatives(node.text).map(text => put(node, text));
    }
    if (node.type === 'template_string') {
      const gaps = node.text.slice(1, -1).split(/(\$\{[^}]{0,200}\})/);
      return gaps.flatMap((gap, index) =>
        index % 2 === 1
          ? []
          : alternatives(gap).map(text => put(node, `\`${gaps.with(index, text).join('')}\``)),
      );
    }
    return isString(node) && node.text.length === 2
      ? ['-', '_', ' ', ','].map(text => put(node, node.text.charAt(0) + text + node.text.charAt(1)))
      : [];
  });
}

function alternatives(text: string): string[] {
  return groups.flatMap(group =>
    group.includes(text) && text !== '' ? group.filter(other => other !== text) : [],
  );
}

const groups: readonly (readonly string[])[] = [
  ['-', '_', ' ', '', ',', ', ', '.', '/', ':', ';', '\\n'],
  ['r', 'w', 'a', 'x', 'rb', 'wb'],
  ['asc', 'desc'],
  ['utf-8', 'latin-1', 'ascii'],
];
