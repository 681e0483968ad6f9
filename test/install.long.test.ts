import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../lib/files/package-root.ts';
import { writeSmallSet } from './support/cli.ts';
import { needs } from './support/needs.ts';
import { linkDependencies, unpackPackage } from './support/packed-package.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const charts = ['vega', 'vega-lite', '@resvg/resvg-js', '@expo-google-fonts/inter'];

describe('installed in a folder with spaces in its path, without the packages that draw', () => {
  test('doctor, a run, a report and a sweep', async () => {
    const folder = await temporaryFolder();
    const hefix = await installedCopy(join(folder, 'two words', 'a%20b'));
    const { dataset, script } = await writeSmallSet(folder, 2);
    const options = ['--dataset', dataset, '--backend', 'scripted', '--model', script, '--iters', '1'];

    const doctor = await hefix(['doctor']);
    expect(doctor.stdout + doctor.stderr).toMatch(/isolated-vm\s+works/);

    const out = join(folder, 'r.jsonl');
    expect((await hefix([...options, '--out', out])).exitCode).toBe(0);
    expect(await readdir(folder)).toContain('r.jsonl');

    const report = await hefix(['report', out, '--out', join(folder, 'r.png')]);
    expect(report.exitCode).toBe(1);
    expect(report.stderr).toContain('[RENDERER_MISSING]');
    for (const name of charts) expect(report.stderr).toContain(name);

    const visualize = await hefix([...options, '--visualize', '--out', join(folder, 'v.jsonl')]);
    expect(visualize.stderr).toContain('[RENDERER_MISSING]');
    expect(await readdir(folder)).not.toContain('v.jsonl');

    const sweep = await hefix([
      'sweep',
      ...options.slice(0, -2),
      '--iters',
      '0..1',
      '--out',
      join(folder, 's'),
    ]);
    expect(sweep.exitCode).toBe(0);
    expect(sweep.stderr).toContain('ends without charts');
    expect(await readdir(join(folder, 's'))).toContain('sweep.csv');
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

/** The command line of the package as `npm pack` publishes it, with its dependencies and without the drawing packages. */
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
