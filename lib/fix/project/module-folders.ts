import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** A folder `node_modules` that the project's modules see. */
export interface ModuleFolder {
  /** Absolute path. */
  readonly path: string;
  /** The folder that holds it in the copy, relative to the copy: empty, `..`, or that of a package of a workspace. */
  readonly at: string;
  /**
   * Packages that are links into the project, as in a workspace: paths relative to its root, by name. Tests must find
   * those of the copy.
   */
  readonly inside: Readonly<Record<string, string>>;
  /** Absolute paths of the packages that links outside of the project lead to. */
  readonly outside: readonly string[];
}

/**
 * The folder of the root or the nearest one above it, the next one above that, and those in the project.
 * @param nested paths of those in the project, relative to its root
 */
export function moduleFolders(root: string, nested: readonly string[]): ModuleFolder[] {
  const [own, above] = foldersAround(root);
  const places = [
    ...(own === undefined ? [] : [{ path: own, at: '' }]),
    ...(above === undefined ? [] : [{ path: above, at: '..' }]),
    ...nested.map(path => ({ path: join(root, path), at: dirname(path) })),
  ];
  return places.map(place => ({ ...place, ...linkedPackages(root, place.path) }));
}

/** The nearest first. */
function foldersAround(folder: string): string[] {
  const modules = join(folder, 'node_modules');
  const found = existsSync(modules) ? [modules] : [];
  return folder === dirname(folder) ? found : [...found, ...foldersAround(dirname(folder))];
}

function linkedPackages(root: string, folder: string): Pick<ModuleFolder, 'inside' | 'outside'> {
  const realRoot = realpathSync(root) + sep;
  const own = realpathSync(folder) + sep;
  const inside: Record<string, string> = {};
  const outside: string[] = [];
  for (const name of packageNames(folder)) {
    const path = join(folder, name);
    const target = existsSync(path) ? realpathSync(path) : null;
    if (target === null || target.startsWith(own)) continue;
    const place = relative(realRoot, target);
    if (!target.startsWith(realRoot)) outside.push(target);
    // A package manager's store in another of these folders is used as it is.
    else if (!place.split(sep).includes('node_modules')) inside[name] = place;
  }
  return { inside, outside };
}

/** `name` and `@scope/name` */
function packageNames(folder: string): string[] {
  return readdirSync(folder).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map(inner => `${name}/${inner}`) : [name],
  );
}
