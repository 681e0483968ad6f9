import { copyFile, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import * as extras from '../lib/extra/list.ts';
import { packageFile } from '../lib/files/package.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/**
 * Extras are removed from a copy, with their lines and tests. Without all of them, the rest keeps its types and passes its
 * tests; without one, it builds and starts. That none uses another is a rule of `architecture.test.ts`.
 */

const quickTests = [
  'test/architecture.test.ts',
  'test/core',
  'test/machines',
  'test/options',
  'test/run/run.test.ts',
  'test/sandbox/create-sandbox.test.ts',
];

let files: readonly string[];
beforeAll(async () => {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await execa('git', listed, { cwd: packageFile('.') });
  files = stdout.split('\n');
});

test('without any extra', async () => {
  const root = await temporaryFolder();
  await copyWithout(Object.keys(extras), root);
  const types = await execa('npm', ['run', '--silent', 'types'], { cwd: root, all: true, reject: false });
  expect(types.all).toBe('');
  await execa('npm', ['run', '--silent', 'build:js'], { cwd: root });
  const vitest = await execa('npx', ['vitest', 'run', '--reporter=dot', ...quickTests], {
    ...{ cwd: root, all: true, reject: false, env: { HEFIX_BUILT: '1' } },
  });
  expect(vitest.exitCode, vitest.all).toBe(0);
});

test.each(Object.keys(extras))('without lib/extra/%s', async name => {
  const root = await temporaryFolder();
  await copyWithout([name], root);
  await execa('npm', ['run', '--silent', 'build:js'], { cwd: root });
  const { stdout } = await execa(process.execPath, ['dist/bin/hefix.js', 'help'], { cwd: root });
  expect(stdout).toContain('hefix --ts 5');
});

async function copyWithout(names: readonly string[], root: string): Promise<void> {
  const removed = names.join('|');
  const isOfExtra = (path: string) => new RegExp(`^(?:lib|test)/extra/(?:${removed})/`).test(path);
  for (const path of files.filter(path => !isOfExtra(path))) {
    const [source, copy] = [packageFile(path), join(root, path)];
    // A test of other parts too goes with the extra that it imports.
    if (path.startsWith('test/') && path.endsWith('.ts') && !quickTests.includes(path)) {
      const text = await readFile(source, 'utf8');
      const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, to = '']) => join(dirname(path), to));
      if (imported.some(isOfExtra)) continue;
    }
    await mkdir(dirname(copy), { recursive: true });
    await link(source, copy).catch(() => copyFile(source, copy));
  }
  await symlink(packageFile('node_modules'), join(root, 'node_modules'));
  const list = join(root, 'lib/extra/list.ts');
  const lines = (await readFile(list, 'utf8')).split('\n');
  const others = lines.filter(line => !names.some(name => line.includes(`./${name}/`)));
  expect(others).toHaveLength(lines.length - names.length);
  await rm(list);
  await writeFile(list, others.length > 3 ? others.join('\n') : `${others.join('\n')}export {};\n`);
}
