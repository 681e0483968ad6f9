import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Unpacks what `npm pack` publishes, without the bundled packages: they take half a minute. Needs a build. */
export async function unpackPackage(target: string): Promise<void> {
  const { bundleDependencies: _, ...manifest } = await readManifest();
  const copy = await temporaryFolder();
  const root = packageFile('.');
  const filter = (path: string): boolean =>
    !/^\/?(?:node_modules|\.git|results)(?:\/|$)/.test(path.slice(root.length));
  await cp(root, copy, { recursive: true, filter });
  await writeFile(join(copy, 'package.json'), JSON.stringify(manifest));
  await execa('npm', ['pack', '--ignore-scripts'], { cwd: copy });
  await mkdir(target, { recursive: true });
  const file = join(copy, `${manifest.name}-${manifest.version}.tgz`);
  await execa('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
}

/** Links the packages that npm installs with hefix, and isolated-vm, into a folder `node_modules`. */
export async function linkDependencies(modules: string): Promise<void> {
  const { dependencies, optionalDependencies } = await readManifest();
  // On Node.js 20, users install isolated-vm themselves.
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), 'isolated-vm']) {
    const link = join(modules, name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(packageFile(join('node_modules', name)), link);
  }
}

async function readManifest() {
  return JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
}
