import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { cacheFolder } from '../../files/own-cache.ts';

/**
 * A folder with everything that is built once per toolchain: `toolchains/<name>-<hash>` in the cache folder.
 * The hash covers `parts`, all that its contents depend on. `build` fills a temporary folder, which is
 * renamed when complete; if two processes build at the same time, the second uses the folder of the first.
 */
export async function toolchainCache(
  name: string,
  parts: readonly string[],
  build: (temporary: string, final: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const root = join(cacheFolder(process.env), 'toolchains');
  const folder = join(root, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  await ensureDirectory(root);
  const temporary = await mkdtemp(join(root, `${name}-building-`));
  try {
    await build(temporary, folder);
    // Candidates' jails may run as another user.
    await chmod(temporary, 0o755);
    await rename(temporary, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The names and contents of all files in a folder, on which a cached folder depends. */
export function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .flatMap(path => [path.slice(folder.length), readFileSync(path, 'utf8')]);
}
