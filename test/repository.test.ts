import { readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../lib/files/package.ts';
import { linksOf, pageOf } from './support/pages.ts';

const read = (path: string) => readFileSync(packageFile(path), 'utf8');

test('workflows pin actions by commit, and name its version', () => {
  const workflows = readdirSync(packageFile('.github/workflows')).map(name => `.github/workflows/${name}`);
  const uses = [...workflows, 'action.yml'].flatMap(path =>
    [...read(path).matchAll(/uses: .*/g)].map(([line]) => line),
  );
  expect(uses.length).toBeGreaterThan(8);
  expect(uses.filter(line => !/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('what an update of a dependency writes and contacts is compared on every pull request, as on a user’s machine', () => {
  const { on, jobs } = parse(read('.github/workflows/gate.yml'));
  expect(Object.keys(on)).toContain('pull_request');
  expect(on.pull_request).toBeNull();
  expect(jobs.gate.if).toBe("github.event_name != 'schedule'");
  expect(jobs.gate['continue-on-error']).toBeUndefined();
  const steps: readonly { readonly run?: string; readonly if?: string }[] = jobs.gate.steps;
  const step = steps.find(({ run = '' }) => run.includes('footprint'));
  expect(step?.if).toBe("runner.os == 'Linux'");
  expect(step).not.toHaveProperty('continue-on-error');
  const command = step?.run?.split('\n').find(line => line.includes('footprint')) ?? '';
  expect(command).toBe('env -u CI npx vitest run --mode all test/bin/footprint');
  const npm = parse(read('.github/dependabot.yml')).updates.find(
    (update: { readonly directory: string }) => update.directory === '/',
  );
  expect(npm['package-ecosystem']).toBe('npm');
});

test('the development container has all packages that the gate installs', () => {
  const wanted = [...read('.ci/run').matchAll(/missing\+=\(([^)]+)\)/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const [, installed = ''] =
    /--no-install-recommends ([^"]+)"/.exec(read('.devcontainer/devcontainer.json')) ?? [];
  expect(installed.split(' ').sort()).toEqual(wanted.sort());
});

test('.nvmrc names a version of Node.js that the gate tests', () => {
  const [, versions = ''] = /node: \[([\d, ]+)\]/.exec(read('.github/workflows/gate.yml')) ?? [];
  expect(versions.split(', ')).toContain(read('.nvmrc').trim());
});

test('notes of a release are its section of the changelog; without one, nothing is released', async () => {
  const notes = (version: string) =>
    execa(packageFile('fixtures/package/release-notes.sh'), [version], { reject: false });
  expect((await notes('0.1.0')).stdout).toMatch(/^The first version\..*### Judging\n/s);
  expect(await notes('99.0.0')).toMatchObject({ exitCode: 1, stderr: 'CHANGELOG.md has no section 99.0.0' });
});

test('every decision is listed', () => {
  const path = 'docs/decisions/README.md';
  const listed = linksOf({ path, text: pageOf(path) }).map(link => link.path);
  const written = readdirSync(packageFile('docs/decisions')).filter(name => name !== 'README.md');
  expect(listed.sort()).toEqual(written.map(name => `docs/decisions/${name}`).sort());
});
