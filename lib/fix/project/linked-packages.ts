import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Packages of a workspace: installed as links to folders of their own. */
export interface LinkedPackages {
  /** Paths of those in the project, relative to its root, by name: tests must find the copy. */
  readonly inside: Readonly<Record<string, string>>;
  /** Absolute paths of the others. */
  readonly outside: readonly string[];
}

/** @param modules folders of installed packages */
export function linkedPackages(root: string, modules: readonly string[]): LinkedPackages {
  const realRoot = realpathSync(root) + sep;
  const inside: Record<string, string> = {};
  const outside: string[] = [];
  for (const folder of modules) {
    const own = realpathSync(folder) + sep;
    for (const name of packageNames(folder)) {
      const path = join(folder, name);
      const target = existsSync(path) ? realpathSync(path) : null;
      if (target === null || target.startsWith(own)) continue;
      if (target.startsWith(realRoot)) inside[name] ??= relative(realRoot, target);
      else outside.push(target);
    }
  }
  return { inside, outside };
}

/** `name` and `@scope/name` */
function packageNames(folder: string): string[] {
  return readdirSync(folder).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map(inner => `${name}/${inner}`) : [name],
  );
}
