import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { realPath } from '../../files/paths.ts';
import { listUntrusted, readUntrusted } from '../../files/untrusted-file.ts';
import { createWorkFolder } from '../../sandbox/isolation/work-folder.ts';
import { projectTooLarge } from '../errors.ts';
import { isWithin } from './boundary.ts';
import { isEnvironment } from './project-python.ts';
import { languageOf } from './target.ts';

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

/** Limit on the files of a project together, and so on each. */
export const maxProjectBytes = 100 * 2 ** 20;
const defaultCap: SizeCap = { bytes: maxProjectBytes, files: 10_000 };
/** Entries of folders, for each file that may be copied. */
const ENTRIES = 10;

/** The project's files, relative to its root and in a fixed order. */
export interface ProjectFiles {
  readonly files: readonly string[];
  /** Symbolic links that lead to something inside of the project. */
  readonly links: readonly ProjectLink[];
  /** Folders `node_modules` below the root's own, as the packages of a workspace have. */
  readonly modules: readonly string[];
}

export interface ProjectLink {
  /** Relative to the root. */
  readonly path: string;
  /** Where the kernel ends when it follows the link, and further ones; relative to the root. */
  readonly target: string;
}

/** @param only the folder in the root to list; null for all of it @throws HefixError `PROJECT_TOO_LARGE` */
export function listProject(
  root: string,
  only: string | null = null,
  cap: SizeCap = defaultCap,
): ProjectFiles {
  const files: string[] = [];
  const links: ProjectLink[] = [];
  const modules: string[] = [];
  const realRoot = realPath(root);
  const maxEntries = cap.files * ENTRIES;
  let bytes = 0;
  let count = 0;
  const visit = (folder: string): void => {
    const entries = listUntrusted(root, folder, maxEntries + 1);
    count += entries.length;
    if (count > maxEntries) throw projectTooLarge(root, `${maxEntries} entries of folders`);
    for (const entry of entries.toSorted(byName)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const whole = join(root, path);
      if (entry.name === 'node_modules') {
        if (folder !== '' && existsSync(whole)) modules.push(path);
      } else if (entry.isDirectory()) {
        if (!leftOut.has(entry.name) && !isEnvironment(whole)) visit(path);
      } else if (entry.isFile()) {
        const stats = lstatSync(whole, { throwIfNoEntry: false });
        if (!stats) continue;
        bytes += stats.size;
        files.push(path);
        if (bytes > cap.bytes) throw projectTooLarge(root, `${Math.round(cap.bytes / 2 ** 20)} MiB`);
        if (files.length > cap.files) throw projectTooLarge(root, `${cap.files} files`);
      } else if (entry.isSymbolicLink()) {
        const target = realPath(whole);
        if (target !== realRoot && target !== whole && isWithin(target, realRoot))
          links.push({ path, target: relative(realRoot, target).split(sep).join('/') });
      }
    }
  };
  visit(only ?? '');
  return { files, links, modules };
}

export interface Snapshot {
  /** Absolute path of the copy. */
  readonly path: string;
  /** The content of each source file in any language, and of each link to one, as it was copied. */
  readonly sources: ReadonlyMap<string, Buffer>;
  remove(): Promise<void>;
}

/**
 * Copies a project, by content, into a new folder that every user of this system may read, since candidates run as
 * another user. Nothing that runs later can change what `sources` holds.
 */
export function takeSnapshot(root: string, { files, links }: ProjectFiles): Snapshot {
  const folder = createWorkFolder(null);
  try {
    chmodSync(folder.path, 0o755);
    const path = join(folder.path, 'project');
    return { path, sources: copyFiles(root, { files, links }, path), remove: folder.remove };
  } catch (error) {
    void folder.remove();
    throw error;
  }
}

/** Returns the content of the source files. */
function copyFiles(
  root: string,
  { files, links }: Pick<ProjectFiles, 'files' | 'links'>,
  path: string,
): Map<string, Buffer> {
  const made = new Set([dirname(path)]);
  const ensure = (parent: string): void => {
    if (made.has(parent)) return;
    made.add(parent);
    ensure(dirname(parent));
    mkdirSync(parent);
    chmodSync(parent, 0o755);
  };
  ensure(path);
  const sources = new Map<string, Buffer>();
  let left = maxProjectBytes;
  for (const file of files) {
    const bytes = readUntrusted(root, file, left);
    // It has disappeared or grown, or may not be read.
    if (bytes === null) continue;
    left -= bytes.length;
    const target = join(path, file);
    ensure(dirname(target));
    const mode = lstatSync(join(root, file), { throwIfNoEntry: false })?.mode ?? 0;
    writeFileSync(target, bytes);
    chmodSync(target, (mode & 0o111) | 0o644);
    if (languageOf(file) !== null) sources.set(file, bytes);
  }
  for (const { path: link, target } of links) {
    ensure(dirname(join(path, link)));
    symlinkSync(relative(dirname(link), target), join(path, link));
    const bytes = sources.get(target);
    if (bytes !== undefined) sources.set(link, bytes);
  }
  return sources;
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
