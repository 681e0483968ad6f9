import { expect, test } from 'vitest';
import { importsOf, modulesByFile } from '../../../lib/fix/localise/imports.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';

const files = [
  'src/a/units.ts',
  'src/a/index.js',
  'src/units.py',
  'pkg/sub/__init__.py',
  'pkg/sub/units.py',
  'other/units.ts',
];

test.each([
  ['src/a/main.ts', "import { UNITS } from './units.js';", ['src/a/units.ts']],
  ['src/main.js', "const { a } = require('./a');", ['src/a/index.js']],
  ['src/b/main.ts', "} from '../a/units';", ['src/a/units.ts']],
  ['src/b/main.ts', "import { UNITS } from '@/a/units';", ['src/a/units.ts']],
  ['src/b/main.ts', "const text = 'units';", []],
  ['src/main.py', 'from units import A', ['src/units.py', 'pkg/sub/units.py']],
  ['pkg/main.py', 'from .sub.units import A, B', ['pkg/sub/units.py']],
  ['pkg/main.py', 'from pkg.sub import units', ['pkg/sub/__init__.py', 'pkg/sub/units.py']],
  ['pkg/sub/main.py', 'from . import units', ['pkg/sub/units.py']],
  ['pkg/sub/main.py', 'from .. import sub', ['pkg/sub/__init__.py']],
  ['main.py', 'import os, pkg.sub.units as units', ['pkg/sub/units.py']],
])('%s with the line %s imports %j', (path, line, wanted) => {
  const moduleIn = modulesByFile(importsOf(readSource(path, Buffer.from(`${line}\n`))));
  const language = path.endsWith('.py');
  const found = files.filter(file => file.endsWith('.py') === language && moduleIn(file));
  expect(found).toEqual(wanted);
});

test('imports are the first 1000 lines with one, of at most 1000 characters', () => {
  const imported = (text: string) => importsOf(readSource('a.py', Buffer.from(text))).length;
  expect(imported('import b\n'.repeat(1001))).toBe(1000);
  expect(imported('import b'.padEnd(1000))).toBe(1);
  expect(imported('import b'.padEnd(1001))).toBe(0);
});
