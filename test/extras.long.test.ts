import { copyFile, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { build } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import * as extras from '../lib/extra/list.ts';
import { packageFile } from '../lib/files/package.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/**
 * Extras are removed from a copy, with their lines and tests: the rest keeps its types, builds and passes its tests.
 * Without one, the command line can be bundled and starts. That none uses another is a rule of `architecture.test.ts`.
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
  await copyWithoutExtras(root);
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
  const removed = packageFile(`lib/extra/${name}/`);
  await build({
    ...{ input: packageFile('bin/hefix.ts'), platform: 'node', external: /^[@a-z]/ },
    checks: { ineffectiveDynamicImport: false },
    output: { dir: join(root, 'dist/bin') },
    plugins: [
      {
        name: 'without-extra',
        async load(id) {
          if (id.startsWith(removed)) throw new Error(`${relative(removed, id)} was removed`);
          if (id !== list) return null;
          return { code: await listWithout([name]), moduleType: 'ts' };
        },
      },
    ],
  });
  for (const path of ['package.json', 'node_modules']) await symlink(packageFile(path), join(root, path));
  const { stdout } = await execa(process.execPath, ['dist/bin/hefix.js', 'help'], { cwd: root });
  expect(stdout).toContain('hefix --ts 5');
});

const list = packageFile('lib/extra/list.ts');

async function listWithout(names: readonly string[]): Promise<string> {
  const lines = (await readFile(list, 'utf8')).split('\n');
  const others = lines.filter(line => !names.some(name => line.includes(`./${name}/`)));
  expect(others).toHaveLength(lines.length - names.length);
  return others.length > 3 ? others.join('\n') : `${others.join('\n')}export {};\n`;
}

async function copyWithoutExtras(root: string): Promise<void> {
  const names = Object.keys(extras);
  const isOfExtra = (path: string) => new RegExp(`^(?:lib|test)/extra/(?:${names.join('|')})/`).test(path);
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
  const copied = join(root, 'lib/extra/list.ts');
  await rm(copied);
  await writeFile(copied, await listWithout(names));
}
