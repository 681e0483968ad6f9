import { type AllowedDifference, allowedDifferences } from '../../options/tables/queue-options.ts';
import type { Manifest } from '../../results/manifest.ts';
import { type Difference, manifestDifferences } from '../manifest-differences.ts';

/** The first difference that could change a result and is not allowed; undefined if there is none. */
export function firstDifference(
  run: Manifest,
  own: Manifest,
  allowed: readonly AllowedDifference[],
): (Difference & { readonly name: AllowedDifference }) | undefined {
  return manifestDifferences(run, own)
    .flatMap(difference => {
      const name = names[difference.what] ?? allowedDifferences.find(known => known === difference.what);
      return name === undefined ? [] : [{ ...difference, name }];
    })
    .find(({ name }) => !allowed.includes(name));
}

/** Versions of other packages, and the host, do not decide a result. */
const names: Readonly<Record<string, AllowedDifference>> = {
  'version of hefix': 'hefix',
  'version of candidates': 'python',
};
