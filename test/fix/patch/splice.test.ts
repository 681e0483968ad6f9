import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encoded, readSource } from '../../../lib/fix/patch/source-file.ts';
import { excerptOf, spliced } from '../../../lib/fix/patch/splice.ts';
import { unifiedDiff } from '../../../lib/fix/patch/unified-diff.ts';

const ending = fc.constantFrom('\n', '\r\n');
const line = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '=', 'é', '#', "'"), maxLength: 12 });

/** A file with any line endings, an excerpt of it, and other lines for the excerpt. */
const change = fc
  .tuple(
    fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    fc.nat(),
    fc.nat(),
    fc.array(line, { minLength: 1, maxLength: 6 }),
  )
  .map(([lines, isUnended, a, b, fresh]) => {
    const whole = lines.map(([text, end]) => text + end).join('');
    const last = lines.at(-1)?.[0] ?? '';
    const text = isUnended && last !== '' ? whole.replace(/\r?\n$/, '') : whole;
    const start = a % lines.length;
    const end = start + 1 + (b % (lines.length - start));
    return { text, start, end, code: fresh.join('\n') };
  });

describe('a repair', () => {
  test('changes no byte outside its function', () => {
    fc.assert(
      fc.property(change, ({ text, start, end, code }) => {
        const raw = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const after = spliced(text, excerptOf(text, start, end), code);
        expect(after.startsWith(raw.slice(0, start).join(''))).toBe(true);
        expect(after.endsWith(raw.slice(end).join(''))).toBe(true);
      }),
    );
  });

  test('a repair that changes nothing returns the same file', () => {
    fc.assert(
      fc.property(change, ({ text, start, end }) => {
        const excerpt = excerptOf(text, start, end);
        expect(spliced(text, excerpt, excerpt.code)).toBe(text);
      }),
    );
  });

  test('keeps the indentation, tabs and line endings', () => {
    const text = 'class A:\r\n\tdef f(self):\r\n\t\treturn 1\r\n\r\n\tdef g(self):\r\n\t\treturn 2';
    const excerpt = excerptOf(text, 1, 3);
    expect(excerpt.code).toBe('def f(self):\n\treturn 1');
    expect(spliced(text, excerpt, 'def f(self):\n\tx = 3\n\treturn x')).toBe(
      'class A:\r\n\tdef f(self):\r\n\t\tx = 3\r\n\t\treturn x\r\n\r\n\tdef g(self):\r\n\t\treturn 2',
    );
    const last = excerptOf(text, 4, 6);
    expect(spliced(text, last, 'def g(self):\n\treturn 3')).toMatch(/return 3$/);
  });
});

test('git apply produces the same bytes, in the repository and in a folder of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hefix-diff-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    fc.assert(
      fc.property(change, fc.constantFrom('utf8', 'latin1'), ({ text, start, end, code }, encoding) => {
        const path = 'a folder/é.py';
        const project = join(folder, 'packages');
        const file = readSource(path, Buffer.from(text, encoding));
        const after = encoded(file, spliced(file.text, excerptOf(file.text, start, end), code));
        fc.pre(after !== null && !after.equals(file.bytes));
        mkdirSync(dirname(join(project, path)), { recursive: true });
        for (const [cwd, prefix] of [
          [folder, 'packages/'],
          [project, ''],
        ] as const) {
          writeFileSync(join(project, path), file.bytes);
          const input = unifiedDiff([{ file, after }], place => prefix + place);
          execFileSync('git', ['apply', '-'], { cwd, input, stdio: 'pipe' });
          expect(readFileSync(join(project, path)).equals(after)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file in another encoding keeps its bytes, and rejects characters that it cannot encode', () => {
  const bytes = Buffer.from('# -*- coding: latin-1 -*-\nname = "é"\n', 'latin1');
  const file = readSource('a.py', bytes);
  expect(file.encoding).toBe('latin1');
  expect(encoded(file, file.text)?.equals(bytes)).toBe(true);
  expect(encoded(file, `${file.text}é`)).not.toBeNull();
  expect(encoded(file, `${file.text}ü`)).toBeNull();
  expect(readSource('b.py', Buffer.from('\ufeffx = "é"\n')).encoding).toBe('utf8');
});
