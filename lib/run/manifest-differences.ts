import { longName } from '../options/option.ts';
import { type AllowedDifference, allowedDifferences } from '../options/tables/queue-options.ts';
import { resultOptions } from '../options/tables/run-options.ts';
import type { Manifest } from '../results/manifest.ts';

/** Something that affects results and differs between two runs. */
export interface Difference {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/**
 * The differences between two runs, most important first: dataset, model, prompts, options, isolation,
 * versions, host.
 */
export function manifestDifferences(a: Manifest, b: Manifest): Difference[] {
  const pairs: [string, unknown, unknown][] = [
    ...identities('dataset', a.dataset, b.dataset),
    ...identities('model', a.model, b.model),
    ['prompts', shortened(a.prompts), shortened(b.prompts)],
    ...resultOptions.map((key): [string, unknown, unknown] => [
      longName(key),
      a.options[key],
      b.options[key],
    ]),
    ['isolation', a.isolation, b.isolation],
    ...keysOf(a.versions, b.versions).map((name): [string, unknown, unknown] => [
      `version of ${name}`,
      a.versions[name],
      b.versions[name],
    ]),
    ['host', hostName(a), hostName(b)],
  ];
  return pairs
    .map(([what, one, other]) => ({ what, a: String(one ?? 'none'), b: String(other ?? 'none') }))
    .filter(difference => difference.a !== difference.b);
}

/** Fingerprints are compared, since a file may have moved; names are shown, since they are easier to read. */
function identities(what: string, a: Manifest['model'], b: Manifest['model']): [string, unknown, unknown][] {
  const shown = ({ name, fingerprint }: Manifest['model']) => `${name} (${shortened(fingerprint)})`;
  return a.fingerprint === b.fingerprint ? [] : [[what, shown(a), shown(b)]];
}

function shortened(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 12);
}

function keysOf(...records: readonly Readonly<Record<string, string>>[]): string[] {
  return [...new Set(records.flatMap(record => Object.keys(record)))];
}

function hostName({ host }: Manifest): string {
  return `${host.cpu}, ${host.cores} cores, ${host.platform}`;
}

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
