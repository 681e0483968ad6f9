import type { Flag } from '../lib/index.ts';

export interface FlagNames {
  /** `--iters`: what errors and the help call it. */
  readonly long: string;
  /** `iters`, `maxNewTokens`: what the library calls it. */
  readonly key: string;
  /** All long names, without dashes. */
  readonly all: readonly string[];
  readonly short: string | undefined;
  readonly takesValue: boolean;
  /** `--cache [folder]`: with a value or without. */
  readonly valueMayBeLeftOut: boolean;
}

/** Takes apart `-d, --dataset-path, --dataset <name>`; the last name is the option's own. */
export function flagNames({ flags }: Flag): FlagNames {
  const names = flags.replace(/\s*[<[].*[>\]]$/, '').split(', ');
  const all = names.filter(name => name.startsWith('--')).map(name => name.slice(2));
  const own = all.at(-1) ?? '';
  return {
    long: `--${own}`,
    key: own.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    all,
    short: names.find(name => /^-[a-z]$/.test(name))?.slice(1),
    takesValue: flags.endsWith('>'),
    valueMayBeLeftOut: flags.endsWith(']'),
  };
}
