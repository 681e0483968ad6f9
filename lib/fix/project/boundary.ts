import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { realPath } from '../../files/paths.ts';
import { parseJson, readUntrustedText } from '../../files/untrusted-file.ts';

/**
 * How far a project reaches. A folder does not decide that alone: it must not pull the folders around it into the copy
 * or the jail, by an `__init__.py` or a link. The home folder, and those around it, are no part of a project in them.
 */

/**
 * The highest folder whose packages a project may use: that of its repository, or of the workspace around it; the
 * project's own otherwise. @param top limit on it
 */
export function boundaryOf(root: string, top?: string): string {
  const outermost = foldersUp(root).find(isRepositoryOrWorkspace) ?? root;
  return top !== undefined && isWithin(top, outermost) && isWithin(root, top) ? top : outermost;
}

/** Whether the folder around one belongs to the same project, as files outside of the folder say. */
export function reachesAbove(folder: string): boolean {
  const parent = dirname(folder);
  if (existsSync(join(folder, '.git')) || isHomeOrAround(parent)) return false;
  const marks = [...projectMarks, '__init__.py', 'tests', 'test'];
  if (marks.some(name => existsSync(join(parent, name)))) return true;
  return foldersUp(parent).some(each => existsSync(join(each, '.git')));
}

/** Whether a folder is the home folder or contains it. */
export function isHomeOrAround(folder: string): boolean {
  return isWithin(realPath(homedir()), realPath(folder));
}

/** Whether a path is a folder or below it; both are compared as they are written. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}

/** Files that mark the root folder of a project. */
export const projectMarks = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pytest.ini',
  'tox.ini',
];

/** A folder and those around it, without the home folder. */
export function foldersUp(folder: string): string[] {
  const parent = dirname(folder);
  return isHomeOrAround(parent) ? [folder] : [folder, ...foldersUp(parent)];
}

function isRepositoryOrWorkspace(folder: string): boolean {
  if (['.git', 'pnpm-workspace.yaml'].some(name => existsSync(join(folder, name)))) return true;
  return Object(parseJson(readUntrustedText(folder, 'package.json'))).workspaces !== undefined;
}
