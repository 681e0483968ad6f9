import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { namesIn } from '../../files/paths.ts';
import { modulesOutside } from '../errors.ts';
import { boundaryOf, isWithin } from './boundary.ts';

/** A folder `node_modules` that the project's modules see. */
export interface ModuleFolder {
  /** Absolute path, without links. */
  readonly path: string;
  /** The folder that holds it in the copy, relative to the copy: empty, `..`, or that of a package of a workspace. */
  readonly folder: string;
  /**
   * Packages that are links into the project, as in a workspace: paths relative to its root, by name. Tests must find
   * those of the copy.
   */
  readonly inside: Readonly<Record<string, string>>;
  /** Absolute paths of the packages that links outside of the project lead to, as far as its boundary. */
  readonly outside: readonly string[];
}

export interface ModuleFolders {
  readonly folders: readonly ModuleFolder[];
  /** Paths of packages that are links out of the boundary: what they lead to is not part of the project. */
  readonly refused: readonly string[];
}

interface ModulePlaces {
  /** Absolute path of the highest folder that may be read. */
  readonly top: string | undefined;
  /** Absolute paths of folders outside of the project that links may lead to. */
  readonly others: readonly string[] | undefined;
  /** Paths of the folders in the project, relative to its root. */
  readonly nested: readonly string[];
}

/**
 * The folder of the root or the nearest one above it, the next one above that, and those in the project. Nothing outside
 * of the project's boundary is among them, also through links, except in the other folders.
 * @throws HefixError (`PACKAGES_OUTSIDE`)
 */
export function moduleFolders(root: string, { top, others = [], nested }: ModulePlaces): ModuleFolders {
  const boundary = boundaryOf(root, top);
  const limits = [boundary, ...others.filter(existsSync)].map(realPath);
  const isAllowed = (real: string): boolean => limits.some(limit => isWithin(real, limit));
  const [inRoot, above] = foldersAround(root, boundary);
  const places = [
    ...(inRoot === undefined ? [] : [{ path: inRoot, folder: '' }]),
    ...(above === undefined ? [] : [{ path: above, folder: '..' }]),
    ...nested.map(path => ({ path: join(root, path), folder: dirname(path) })),
  ].filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const outer = places.find(({ path }) => !isAllowed(realPath(path)));
  if (outer !== undefined) throw modulesOutside(outer.path, realPath(outer.path));
  const real = places.map(({ path, folder }) => ({ path: realPath(path), folder }));
  const linked = real.map(place => ({ place, ...linkedPackages(root, isAllowed, place.path) }));
  return {
    folders: linked.map(({ place, inside, outside }) => ({ ...place, inside, outside })),
    refused: linked.flatMap(({ refused }) => refused),
  };
}

/** The nearest first. */
function foldersAround(folder: string, boundary: string): string[] {
  const modules = join(folder, 'node_modules');
  const folders = existsSync(modules) ? [modules] : [];
  const isLast = folder === boundary || folder === dirname(folder);
  return isLast ? folders : [...folders, ...foldersAround(dirname(folder), boundary)];
}

interface LinkedPackages extends Pick<ModuleFolder, 'inside' | 'outside'> {
  readonly refused: readonly string[];
}

function linkedPackages(root: string, isAllowed: (real: string) => boolean, folder: string): LinkedPackages {
  const realRoot = realPath(root);
  const realFolder = realPath(folder);
  const inside: Record<string, string> = {};
  const outside: string[] = [];
  const refused: string[] = [];
  for (const name of packageNames(folder)) {
    const path = join(folder, name);
    const target = existsSync(path) ? realPath(path) : null;
    if (target === null || target.startsWith(realFolder + sep)) continue;
    const place = relative(realRoot, target);
    if (!isAllowed(target)) refused.push(path);
    else if (!isWithin(target, realRoot)) outside.push(target);
    // A package manager's store in another of these folders is used as it is.
    else if (!place.split(sep).includes('node_modules')) inside[name] = place;
  }
  return { inside, outside, refused };
}

/** As the kernel finds it: without `native`, Node takes `link/..` for the folder that holds the link. */
function realPath(path: string): string {
  return realpathSync.native(path);
}

/** `name` and `@scope/name` */
function packageNames(folder: string): string[] {
  return namesIn(folder).flatMap(name => {
    const isScope =
      name.startsWith('@') && statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory();
    return isScope ? namesIn(join(folder, name)).map(inner => `${name}/${inner}`) : [name];
  });
}
