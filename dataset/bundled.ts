import { bundledDatasets as bundled } from '../lib/core/choices.ts';
import { languageUnsupported } from '../lib/core/errors.ts';
import type { Language } from '../lib/core/task.ts';
import { packageFile } from '../lib/files/package.ts';

export const bundledNames: readonly string[] = [...bundled.keys()];

/** The default set of a language, if one is bundled. */
export function defaultDataset(language: Language): string {
  const name = language === 'python' ? 'mini' : `mini-${language}`;
  if (bundled.has(name)) return name;
  throw languageUnsupported(language, [...new Set(bundled.values())]);
}

/** Null if no bundled set has that name. */
export function bundledDataset(name: string): { path: string; language: Language } | null {
  const language = bundled.get(name);
  return language === undefined ? null : { path: packageFile(`dataset/${name}.parquet`), language };
}
