import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { namesIn, realPath } from '../../files/paths.ts';
import { closest } from '../../options/option.ts';
import { targetNotFound, targetOutside, targetUnsupported } from '../errors.ts';
import { isWithin } from './boundary.ts';

/** What to repair. */
export interface Target {
  /** Absolute path of a file or a folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** `median`, `Basket.total`; null for any function. */
  readonly function: string | null;
  /** 1-based line that distinguishes functions of the same name; null if omitted. */
  readonly line: number | null;
}

/** `js` stands for JavaScript and TypeScript. */
export type FixLanguage = 'python' | 'js';

/** `stats.py`, `stats.py::median`, `stats.py::median:12`, a folder, or nothing for the current one. */
export function readTarget(text: string | undefined, cwd: string): Target {
  const [named = '.', chosen] = (text ?? '.').split('::');
  const [, name = chosen ?? null, line] = /^(.*):(\d+)$/.exec(chosen ?? '') ?? [];
  const path = namedPath(named, cwd);
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && languageOf(path) === null) throw targetUnsupported(named);
  return { path, isFolder, function: name, line: line === undefined ? null : Number(line) };
}

/**
 * The absolute path of what the user named, with links below the current folder resolved: one that leads out of it may
 * be somebody else's.
 * @throws HefixError `TARGET_NOT_FOUND`, `TARGET_OUTSIDE`
 */
export function namedPath(named: string, cwd: string): string {
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw targetNotFound(named, nearestName(path));
  const real = realPath(path);
  const [here, realHere] = [resolve(cwd), realPath(cwd)];
  if (!isWithin(path, here)) return path;
  if (!isWithin(real, realHere)) throw targetOutside(named, real);
  return join(here, relative(realHere, real));
}

export function languageOf(path: string): FixLanguage | null {
  const extension = extname(path);
  if (extension === '.py') return 'python';
  return /^\.(?:[cm]?[jt]s|[jt]sx)$/.test(extension) && !/\.d\.[cm]?ts$/.test(path) ? 'js' : null;
}

function nearestName(path: string): string | undefined {
  const folder = dirname(path);
  const nearest = closest(basename(path), namesIn(folder));
  return nearest === undefined ? undefined : join(relative(process.cwd(), folder), nearest);
}
