import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { regexVariants, tellingFirst } from '../general/regexes.ts';

/** Changes a regular expression: its quantifiers, classes, anchors and flags. */
export function otherRegexes(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(({ type }) => type === 'regex')
    .flatMap(node => {
      const [, pattern = '', flags = ''] = /^\/([\s\S]*)\/(\w*)$/.exec(node.text) ?? [];
      const otherFlags = ['g', 'i', 'u', 's', 'm'].map(flag =>
        flags.includes(flag) ? flags.replace(flag, '') : flags + flag,
      );
      const withFlags = otherFlags.map(other => ({ pattern, flags: other }));
      const forms = [
        ...withFlags.slice(0, 2),
        ...regexVariants(pattern).map(other => ({ pattern: other, flags })),
        ...withFlags.slice(2),
      ];
      return tellingFirst({ pattern, flags }, forms, view.failures.texts).map(form =>
        put(node, `/${form.pattern}/${form.flags}`),
      );
    });
}
