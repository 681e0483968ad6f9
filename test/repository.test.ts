import { readdirSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../lib/files/package-root.ts';
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
  expect((await notes('Unreleased')).stdout).toMatch(/^### Added\n/);
  expect(await notes('99.0.0')).toMatchObject({ exitCode: 1, stderr: 'CHANGELOG.md has no section 99.0.0' });
});

test('every decision is listed', () => {
  const path = 'docs/decisions/README.md';
  const listed = linksOf({ path, text: pageOf(path) }).map(link => link.path);
  const written = readdirSync(packageFile('docs/decisions')).filter(name => name !== 'README.md');
  expect(listed.sort()).toEqual(written.map(name => `docs/decisions/${name}`).sort());
});
