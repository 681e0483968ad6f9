import { delimiter, isAbsolute } from 'node:path';

/**
 * PATH without the folders whose programs the current folder decides: relative ones, and those of npm's packages, which
 * `npx` and `npm run` put first.
 */
export function absoluteSearchPath(path: string): string {
  const folders = path.split(delimiter);
  return folders
    .filter(folder => isAbsolute(folder) && !folder.split('/').includes('node_modules'))
    .join(delimiter);
}
