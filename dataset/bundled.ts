import { languageUnsupported } from '../lib/core/errors.ts';
import type { Language } from '../lib/core/task.ts';
import { packageFile } from '../lib/files/package-root.ts';

/** The task sets that ship with hefix, built by `dataset/build`. */
const bundled: ReadonlyMap<string, Language> = new Map([
  ['mini', 'python'],
  ['bogus', 'python'],
  ['mini-js', 'js'],
]);

export const bundledNames: readonly string[] = [...bundled.keys()];

/** The default set of a language, if one is bundled. */
export function defaultDataset(language: Language): string {
  if (language === 'python') return 'mini';
  if (language === 'js') return 'mini-js';
  throw languageUnsupported(language, ['python', 'js']);
}

/** Null if no bundled set has that name. */
export function bundledDataset(name: string): { path: string; language: Language } | null {
  const language = bundled.get(name);
  return language === undefined ? null : { path: packageFile(`dataset/${name}.parquet`), language };
}
