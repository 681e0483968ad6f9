import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The interpreter that one of pyenv's shims starts, by pyenv's own rules but without its scripts, which take longer
 * than everything else that is done before an execution. Undefined if the path is not such a shim, or if
 * the version is chosen in a way that only pyenv knows: several versions, a prefix, `system`.
 */
export function behindPyenvShim(path: string): string | undefined {
  const { PWD, PYENV_DIR, PYENV_VERSION } = process.env;
  const [folder, root] = [dirname(path), dirname(dirname(path))];
  if (basename(folder) !== 'shims' || PYENV_DIR || PWD !== process.cwd()) return undefined;
  const version = PYENV_VERSION || chosenVersion(root);
  if (!/^\w[\w.-]*$/.test(version)) return undefined;
  const interpreter = join(root, 'versions', version, 'bin', basename(path));
  return existsSync(interpreter) ? interpreter : undefined;
}

/** From the first `.python-version` in this folder or above, or the user's own choice. */
function chosenVersion(root: string): string {
  let folder = process.cwd();
  while (!existsSync(join(folder, '.python-version')) && folder !== '/') folder = dirname(folder);
  const local = join(folder, '.python-version');
  try {
    return readFileSync(existsSync(local) ? local : join(root, 'version'), 'utf8').trim();
  } catch {
    return '';
  }
}
