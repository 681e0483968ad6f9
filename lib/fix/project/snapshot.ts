import {
  chmodSync,
  copyFileSync,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { createWorkFolder } from '../../sandbox/isolation/work-folder.ts';
import { projectTooLarge } from '../errors.ts';
import { isEnvironment } from './project-python.ts';

/** Folders that do not contain the project's own code. */
const leftOut = new Set(
  '.git .hg .svn __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .idea .vscode .cache coverage'.split(
    ' ',
  ),
);

export interface SizeCap {
  readonly bytes: number;
  readonly files: number;
}

const defaultCap: SizeCap = { bytes: 100 * 2 ** 20, files: 10_000 };

/** The project's files, relative to its root and in a fixed order, and their total size. */
export interface ProjectFiles {
  readonly files: readonly string[];
  /** Symbolic links that point inside the project. */
  readonly links: readonly string[];
  /** Folders `node_modules` below the root's own, as the packages of a workspace have. */
  readonly modules: readonly string[];
}

/** @param only the folder in the root to list; null for all of it @throws HefixError `PROJECT_TOO_LARGE` */
export function listProject(
  root: string,
  only: string | null = null,
  cap: SizeCap = defaultCap,
): ProjectFiles {
  const files: string[] = [];
  const links: string[] = [];
  const modules: string[] = [];
  let bytes = 0;
  const visit = (folder: string): void => {
    for (const entry of entriesOf(join(root, folder)).toSorted(byName)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const whole = join(root, path);
      if (entry.name === 'node_modules') {
        if (folder !== '' && existsSync(whole)) modules.push(path);
      } else if (entry.isDirectory()) {
        if (!leftOut.has(entry.name) && !isEnvironment(whole)) visit(path);
      } else if (entry.isFile()) {
        const found = statSync(whole, { throwIfNoEntry: false });
        if (!found) continue;
        bytes += found.size;
        files.push(path);
        if (bytes > cap.bytes || files.length > cap.files) throw projectTooLarge(root, cap);
      } else if (entry.isSymbolicLink() && staysInside(root, whole)) links.push(path);
    }
  };
  visit(only ?? '');
  return { files, links, modules };
}

/** A folder may have disappeared since it was listed, or be unreadable; then it is left out. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export interface Snapshot {
  /** Absolute path of the copy. */
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Copies a project into a new folder that every user of this system may read, since candidates run as
 * another user.
 */
export function takeSnapshot(root: string, { files, links }: ProjectFiles): Snapshot {
  const folder = createWorkFolder(null);
  chmodSync(folder.path, 0o755);
  const path = join(folder.path, 'project');
  const made = new Set([folder.path]);
  const ensure = (parent: string): void => {
    if (made.has(parent)) return;
    made.add(parent);
    ensure(dirname(parent));
    mkdirSync(parent);
    chmodSync(parent, 0o755);
  };
  ensure(path);
  for (const file of files) {
    const target = join(path, file);
    ensure(dirname(target));
    copyFileSync(join(root, file), target);
    chmodSync(target, (statSync(target).mode & 0o111) | 0o644);
  }
  for (const link of links) {
    ensure(dirname(join(path, link)));
    symlinkSync(readlinkSync(join(root, link)), join(path, link));
  }
  return { path, remove: folder.remove };
}

function staysInside(root: string, link: string): boolean {
  const target = readlinkSync(link);
  return !target.startsWith(sep) && resolve(dirname(link), target).startsWith(root + sep);
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
