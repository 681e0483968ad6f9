import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

const interpreters = ['python3', 'python3.12', 'python3.13', 'python3.14'].filter(
  python => spawnSync(python, ['--version']).status === 0,
);

const lines = [[2, 3, 4, 5], [9, 11], [9, 10], [15], [16], [23, 24, 25], [2, 3, 5], []];

test.each(interpreters)('lines and calls are recorded for each test: %s', python => {
  const folder = mkdtempSync(join(tmpdir(), 'hefix-executed-'));
  try {
    const program = packageFile('test/fix/runners/executed_code.py');
    const given = ['-I', program, packageFile('lib/fix/python'), folder];
    const output = JSON.parse(execFileSync(python, given, { encoding: 'utf8' }));
    expect(output.called).toEqual(['total']);
    expect(output.lines.traced).toEqual(lines);
    for (const found of Object.values(output.lines)) expect(found).toEqual(lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
