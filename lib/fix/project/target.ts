import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { closest } from '../../options/option.ts';
import { targetNotFound, targetUnsupported } from '../errors.ts';

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
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw targetNotFound(named, nearestName(path));
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && languageOf(path) === null) throw targetUnsupported(named);
  return { path, isFolder, function: name, line: line === undefined ? null : Number(line) };
}

export function languageOf(path: string): FixLanguage | null {
  const extension = extname(path);
  if (extension === '.py') return 'python';
  return /^\.(?:[cm]?[jt]s|[jt]sx)$/.test(extension) && !/\.d\.[cm]?ts$/.test(path) ? 'js' : null;
}

function nearestName(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return undefined;
  const found = closest(basename(path), readdirSync(folder));
  return found === undefined ? undefined : join(relative(process.cwd(), folder), found);
}
