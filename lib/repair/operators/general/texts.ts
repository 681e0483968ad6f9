import { isString, memberOf } from '../../../syntax/shapes.ts';
import { type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/** Replaces a string by the function's other strings, the empty string, a space, or the other case. */
export function otherStrings(view: FunctionView): Replacement[] {
  return view.nodes.filter(isString).flatMap(node => {
    const quote = /["']/.exec(node.text)?.[0] ?? '"';
    const inner = node.text.slice(1, -1);
    const own = ['', ' ', inner.toUpperCase(), inner.toLowerCase(), inner.trim(), `${inner} `].map(
      text => quote + text + quote,
    );
    return [...view.strings, ...own].filter(text => text !== node.text).map(text => put(node, text));
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
    const known = variablesAt(view, node);
    return names.length > 0 && names.every(name => known.includes(name))
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
