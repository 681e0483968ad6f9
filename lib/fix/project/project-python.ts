import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { namesIn } from '../../files/paths.ts';
import { readUntrustedText } from '../../files/untrusted-file.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';
import { environmentBroken, interpreterOutside, interpreterUnusable } from '../errors.ts';
import { isWithin } from './boundary.ts';

/** An interpreter that belongs to the project, and what it reads, found without starting it. */
export interface ProjectPython {
  readonly program: string;
  readonly readable: readonly string[];
}

/**
 * The interpreter at a path, or of a name on PATH, if it is in the project. The project's authors could have put their
 * own code there, so it must not be started outside of a jail. Null if it is elsewhere. Outside of the project, only
 * installed interpreters and their standard libraries are readable, not the paths in environment variables.
 * @throws HefixError (`INTERPRETER_UNUSABLE`)
 */
export function projectPython(python: string, root: string): ProjectPython | null {
  const path = /[/\\]/.test(python) ? python : findOnPath(python);
  if (path === undefined || !existsSync(path)) return null;
  const environment = dirname(dirname(path));
  const [realRoot, realEnvironment, real] = [root, environment, path].map(realPath) as [
    string,
    string,
    string,
  ];
  const isOwn = [path, realEnvironment, real].some(each => isWithin(each, root) || isWithin(each, realRoot));
  if (!isOwn) return null;
  if (!isWithin(realEnvironment, realRoot)) throw interpreterOutside(environment, realEnvironment);
  const isInstalled =
    /^(?:python|pypy)[\d.]*$/.test(basename(real)) &&
    librariesOf(dirname(dirname(real)), realRoot).length > 0;
  if (!isWithin(real, realRoot) && !isInstalled) throw interpreterUnusable(path, `it is a link to ${real}`);
  const prefixes = [dirname(dirname(real)), ...basePrefix(environment)];
  const libraries = prefixes.flatMap(prefix => librariesOf(prefix, realRoot));
  return { program: path, readable: [...new Set([realEnvironment, environment, real, ...libraries])] };
}

/** `home` of pyvenv.cfg is the folder of the interpreter that made the environment. */
function basePrefix(environment: string): string[] {
  const lines = readUntrustedText(environment, 'pyvenv.cfg').split('\n');
  const home = lines
    .find(line => /^home[ \t]*=[ \t]*\//.test(line))
    ?.replace('=', '\n')
    .split('\n')[1]
    ?.trim();
  return home !== undefined && existsSync(home) ? [dirname(realPath(home))] : [];
}

/** Folders such as `lib/python3.13`, if they hold a standard library, with what belongs to them. */
function librariesOf(prefix: string, realRoot: string): string[] {
  const folders = ['lib', 'lib64'].flatMap(name => {
    const folder = join(prefix, name);
    const versions = namesIn(folder).filter(entry => /^python3\.\d+$/.test(entry));
    const standard = versions.filter(entry => isFile(join(folder, entry, 'os.py')));
    if (standard.length === 0) return [];
    const shared = namesIn(folder).filter(
      entry => /^libpython3[\w.]*$/.test(entry) && isFile(join(folder, entry)),
    );
    // Debian keeps its packages next to the libraries of all versions.
    const packages = prefix === '/usr' ? ['python3'].filter(entry => existsSync(join(folder, entry))) : [];
    return [...standard, ...shared, ...packages].map(entry => join(folder, entry));
  });
  return folders.filter(path => {
    const real = realPath(path);
    // A project's own library must not be a link to something else.
    return isWithin(path, realRoot) ? isWithin(real, realRoot) : /^(?:lib)?python3/.test(basename(real));
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realPath(path: string): string {
  return realpathSync.native(path);
}

/**
 * The project's interpreter: the one that was named, that of the active virtual environment, that of one in
 * the project's folder, or python3.
 * @throws HefixError `INTERPRETER_UNUSABLE`
 */
export function pythonOf(
  root: string,
  requested: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (requested !== undefined) return /[/\\]/.test(requested) ? resolve(requested) : requested;
  const inProject = ['.venv', 'venv', 'env'].map(name => join(root, name)).find(isEnvironment);
  const folder = env.VIRTUAL_ENV || inProject;
  if (!folder) return 'python3';
  const program = ['python', 'python3'].map(name => join(folder, 'bin', name)).find(existsSync);
  if (program === undefined) throw environmentBroken(folder);
  return program;
}

/** Whether a folder is a virtual environment; venv and virtualenv both write this file. */
export function isEnvironment(folder: string): boolean {
  return existsSync(join(folder, 'pyvenv.cfg'));
}
