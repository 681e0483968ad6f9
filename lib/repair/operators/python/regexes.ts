import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { regexVariants, tellingFirst } from '../general/regexes.ts';

/** Changes a regular expression: a raw text, or the first argument of a function of `re`. */
export function otherRegexes(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(({ type }) => type === 'string')
    .flatMap(node => {
      const [, prefix = '', quote = '', pattern = ''] =
        /^([rRbBuU]*)("""|'''|["'])([\s\S]*)\2$/.exec(node.text) ?? [];
      const isRaw = /r/i.test(prefix);
      if (pattern === '' || (!isRaw && (pattern.includes('\\') || !isPattern(node)))) return [];
      const regexOf = (text: string) => ({ pattern: text, flags: '' });
      return tellingFirst(regexOf(pattern), regexVariants(pattern).map(regexOf), view.failures.texts)
        .map(form => form.pattern)
        .filter(text => !text.includes(quote) && (isRaw || !text.includes('\\')) && !text.endsWith('\\'))
        .map(text => put(node, prefix + quote + text + quote));
    });
}

function isPattern(node: Node): boolean {
  const call = node.parent?.parent ? callOf(node.parent.parent) : null;
  return call?.args[0]?.id === node.id && /^re\.\w+$/.test(call.callee.text);
}
