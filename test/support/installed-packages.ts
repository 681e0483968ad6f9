import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../lib/files/package.ts';

/**
 * A folder with packages that are too large for a dependency of hefix. npm installs them with the first call; later
 * ones find them in node_modules/.cache. Null if the npm registry cannot be reached.
 */
export async function installedPackages(name: string, packages: readonly string[]): Promise<string | null> {
  const cache = packageFile('node_modules/.cache/hefix');
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await writeFile(join(making, 'package.json'), '{"private": true}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
    const { failed } = await execa('npm', args, { cwd: making, reject: false, timeout: 300_000 });
    if (failed) return null;
    // Another process may have been first.
    await rename(making, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** jest, with what it needs for ESM and TypeScript. */
export function installedJest(): Promise<string | null> {
  return installedPackages('jest', ['jest@30', '@babel/preset-env@7', '@babel/preset-typescript@7']);
}

export function installedAvaAndTape(): Promise<string | null> {
  return installedPackages('ava-tape', ['ava@6', 'tape@5']);
}

/** mocha, with what it needs for TypeScript. */
export function installedMocha(): Promise<string | null> {
  return installedPackages('mocha', ['mocha@11', 'tsx@4']);
}
