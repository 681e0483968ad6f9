import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { regexVariants } from '../general/regex-variants.ts';

/** Changes a regular expression: its quantifiers, classes, anchors and flags. */
export function otherRegexes(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(({ type }) => type === 'regex')
    .flatMap(node => {
      const [, pattern = '', flags = ''] = /^\/([\s\S]*)\/(\w*)$/.exec(node.text) ?? [];
      const otherFlags = ['g', 'i', 'u', 's', 'm'].map(flag =>
        flags.includes(flag) ? flags.replace(flag, '') : flags + flag,
      );
      return [
        ...otherFlags.slice(0, 2).map(text => `/${pattern}/${text}`),
        ...regexVariants(pattern).map(text => `/${text}/${flags}`),
        ...otherFlags.slice(2).map(text => `/${pattern}/${text}`),
      ].map(text => put(node, text));
    });
}
