import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../lib/files/package.ts';
import { writeSmallSet } from './support/cli.ts';
import { cleanMachine } from './support/footprint.ts';
import { needs } from './support/needs.ts';
import { linkDependencies, unpackPackage } from './support/packed-package.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describe('installed in a folder with spaces in its path', () => {
  test('doctor, a run, pictures of all kinds, the library, and a size as in the documents', async () => {
    const folder = await temporaryFolder();
    const home = join(folder, 'two words', 'a%20b');
    const hefix = await installedCopy(home);
    const { dataset, script } = await writeSmallSet(folder, 2);
    const options = ['--dataset', dataset, '--backend', 'scripted', '--model', script, '--iters', '1'];

    const doctor = await hefix(['doctor']);
    expect(doctor.stdout + doctor.stderr).toMatch(/isolated-vm\s+works/);

    const out = join(folder, 'r.jsonl');
    expect((await hefix([...options, '--out', out])).exitCode).toBe(0);
    expect(await readdir(folder)).toContain('r.jsonl');

    for (const form of ['html', 'svg', 'png']) {
      expect((await hefix(['report', out, '--out', join(folder, `r.${form}`)])).exitCode).toBe(0);
      await expectPicture(join(folder, `r.${form}`));
    }
    expect((await hefix([...options, '--visualize', '--out', join(folder, 'v.jsonl')])).exitCode).toBe(0);
    await expectPicture(join(folder, 'v.report.png'));
    const machine = await hefix(['machine', '--format', 'svg']);
    expect(machine.stdout).toMatch(/^<svg .*<path /s);

    const sweep = await hefix([
      'sweep',
      ...options.slice(0, -2),
      '--iters',
      '0..1',
      '--out',
      join(folder, 's'),
    ]);
    expect(sweep.exitCode).toBe(0);
    await expectPicture(join(folder, 's', 'sweep.svg'));
    await expectSize(home);

    // As a library, it contacts nobody and leaves what was asked for and hefix's cache.
    const program = join(home, 'program.mjs');
    const source =
      "import { run } from 'hefix'; await run({ dataset: 'mini', limit: 1, iters: 0, out: 'r.jsonl' });";
    await writeFile(program, source);
    const { exitCode, files, contacts } = await (await cleanMachine()).runProgram(program);
    expect([exitCode, contacts]).toEqual([0, []]);
    expect(files).toEqual([
      'home/.cache/hefix/graphs/#.#.#-#-#/model.onnx',
      'home/.cache/hefix/python/#.json',
      'work/r.jsonl',
      'work/r.manifest.json',
    ]);
  });
});

const { failed: isOffline } = await execa('npm', ['view', 'node-gyp-build', 'version'], { reject: false });

describe('npm pack', needs({ what: 'the npm registry', isThere: !isOffline }), () => {
  const versions = ['isolated-vm-6', 'isolated-vm-7'];
  const cases = [['isolated-vm-6'], ['isolated-vm-7'], versions].map(skipped => ({ skipped }));
  test.each(cases)('holds what npm skipped: $skipped', async ({ skipped }) => {
    const folder = await temporaryFolder();
    await cp(packageFile('package-lock.json'), join(folder, 'package-lock.json'));
    const present =
      skipped.length === 2 ? [] : [...versions, 'node-gyp-build'].filter(name => !skipped.includes(name));
    for (const name of present) await mkdir(join(folder, 'node_modules', name), { recursive: true });
    await execa(process.execPath, [packageFile('fixtures/package/fetch-skipped.mjs')], { cwd: folder });
    for (const name of skipped) {
      const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
      expect([manifest.name, `isolated-vm-${manifest.version.split('.')[0]}`]).toEqual(['isolated-vm', name]);
    }
  });
});

/** Nothing draws an empty picture of that many bytes. */
async function expectPicture(path: string): Promise<void> {
  const bytes = await readFile(path);
  expect(bytes.length).toBeGreaterThan(10_000);
  const start = { html: '<!doctype html>', svg: '<svg ', png: '\x89PNG' }[
    path.slice(path.lastIndexOf('.') + 1)
  ];
  expect(bytes.toString('latin1', 0, start?.length)).toBe(start);
}

/** The size of an installation, with the packages that npm installs with it. */
async function expectSize(home: string): Promise<void> {
  const folder = await temporaryFolder();
  const bundled = ['onnxruntime-node', '@vscode/tree-sitter-wasm'];
  for (const name of bundled)
    await cp(packageFile(join('node_modules', name)), join(folder, 'node_modules', name), {
      recursive: true,
    });
  for (const name of ['isolated-vm-6', 'isolated-vm-7']) {
    await mkdir(join(folder, 'node_modules', name, 'prebuilds'), { recursive: true });
    await writeFile(join(folder, 'node_modules', name, 'package.json'), '{}');
  }
  await execa(process.execPath, [packageFile('fixtures/package/prune-bundled.mjs'), folder]);
  const { stdout } = await execa('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: packageFile('.'),
    reject: false,
  });
  const others = [...new Set(stdout.split('\n').slice(1))].filter(
    path => !/isolated-vm/.test(path) && !bundled.some(name => path.endsWith(`/${name}`)),
  );
  const sizes = await Promise.all(others.map(path => sizeOf(path, false)));
  const runtime = await sizeOf(join(folder, 'node_modules/onnxruntime-node'));
  // A checkout lacks the binaries of isolated-vm for other versions of Node.js.
  const isolates = 19e6;
  const whole =
    (await sizeOf(home, false)) +
    (await sizeOf(join(folder, 'node_modules'))) +
    isolates +
    sizes.reduce((a, b) => a + b);
  const claim = 'An installation takes less than 250 MB';
  for (const page of ['README.md', 'docs/troubleshooting.md'])
    expect(await readFile(packageFile(page), 'utf8')).toContain(claim);
  expect(others.length).toBeGreaterThan(30);
  expect(whole).toBeGreaterThan(200e6);
  expect(whole).toBeLessThan(250e6);
  expect(runtime / whole).toBeGreaterThan(0.45);
  expect(runtime / whole).toBeLessThan(0.55);
}

/** Bytes of the files in a folder, with or without packages inside it. */
async function sizeOf(folder: string, withPackages = true): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return withPackages || entry.name !== 'node_modules' ? await sizeOf(path, withPackages) : 0;
      return entry.isFile() ? (await stat(path)).size : 0;
    }),
  );
  return sizes.reduce((a, b) => a + b, 0);
}

/** The command line of the package as `npm pack` publishes it, with its dependencies alone. */
async function installedCopy(home: string) {
  await unpackPackage(home);
  await linkDependencies(join(home, 'node_modules'));
  return (args: readonly string[]) =>
    execa(process.execPath, [join(home, 'dist/bin/hefix.js'), ...args], {
      cwd: home,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
      reject: false,
    });
}
