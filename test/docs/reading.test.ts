import { existsSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { sectionOf } from '../support/pages.ts';

/** A limit on their lines, together; the aim is 5,500. */
const MAX_LINES = 8200;

/** What «Reading the code» lists, in its order. */
const listed = [
  ...sectionOf('docs/architecture.md', '## Reading the code').matchAll(/^\d+\. `([^`]+)`/gm),
].map(([, path = '']) => path);

test('the files to read are few and exist', () => {
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter(path => !existsSync(packageFile(path)))).toEqual([]);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.length).toBeLessThanOrEqual(40);
  const lines = listed.map(path => readFileSync(packageFile(path), 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_LINES);
});

test('each of them runs from the command to the record', async () => {
  const { stdout } = await execa(process.execPath, [packageFile('fixtures/path/measure.mjs'), '--list']);
  const run = new Set([...stdout.matchAll(/^ +\d+ (\S+)$/gm)].map(([, path]) => path));
  expect(listed.filter(path => !run.has(path))).toEqual([]);
});
