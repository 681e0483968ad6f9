import { expect, test } from 'vitest';
import { withReads } from '../../../lib/fix/localise/constant-reads.ts';
import { excessIn } from '../../../lib/fix/localise/excess.ts';
import { functionsByLine, functionsIn, type ProjectFunction } from '../../../lib/fix/localise/functions.ts';
import { importsOf, modulesByFile } from '../../../lib/fix/localise/imports.ts';
import { projectSuspects } from '../../../lib/fix/localise/project-suspects.ts';
import { readSource, type SourceFile } from '../../../lib/fix/patch/source-file.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const fileOf = (path: string, text: string): SourceFile => readSource(path, Buffer.from(text));
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

test('a chain of 20,000 constants is followed as far as 32 of them', () => {
  const chain = numbered(20_000, at => `C${at} = C${at - 1} + 0\n`);
  const file = fileOf('m.py', `${chain}def f(x):\n    return x - C19999\n`);
  const at = (name: string, firstLine: number, lastLine: number) =>
    ({ file, name, qualified: name, firstLine, headerLine: firstLine, lastLine }) as ProjectFunction;
  const constants = Array.from({ length: 20_000 }, (_, line) => at(`C${line}`, line + 1, line + 1));
  const all = withReads(constants, [file], [at('f', 20_001, 20_002)]);
  const readers = (place: number) => all[place]?.reads.map(({ reader }) => reader.name);
  expect([19_999, 19_998, 19_967, 19_966, 0].map(readers)).toEqual([['f'], ['f'], ['f'], [], []]);
});

test('of a file with thousands of functions, the first are repaired, and it says so', async () => {
  const parser = await openParser('python');
  const file = fileOf(
    'm.py',
    numbered(4100, at => `def f${at}():\n    pass\n`),
  );
  expect(functionsIn(parser, file)).toHaveLength(4096);
  expect(excessIn(parser, file)).toEqual(['Only the first 4096 functions of m.py are repaired.']);
});

test.each([
  [
    'functions',
    4096,
    (at: number) => `def f${at}():\n    pass\n`,
    'Only the first 4096 functions of m.py are',
  ],
  ['constants', 1024, (at: number) => `C${at} = 1\n`, 'Only the first 1024 constants of m.py are repaired.'],
  ['imports', 1000, (at: number) => `import m${at}\n`, 'Only the first 1000 lines with imports in m.py are'],
])('a note says so once a file has more %s than the limit', async (_, limit, line, note) => {
  const parser = await openParser('python');
  const excess = (count: number) => excessIn(parser, fileOf('m.py', numbered(count, line)));
  expect(excess(limit)).toEqual([]);
  expect(excess(limit + 1)).toEqual([expect.stringContaining(note)]);
});

test('neither imports nor words are read from a text that is too long to be parsed', () => {
  const short = `import b\ndef f(x):\n    return C\n`;
  const long = fileOf('m.py', `${short}${'#\n'.repeat(2 ** 19)}`);
  expect([importsOf(fileOf('m.py', short)).length, importsOf(long)]).toEqual([1, []]);
  const constant = { file: long, name: 'C', qualified: 'C', firstLine: 9, headerLine: 9, lastLine: 9 };
  const reader = { file: long, name: 'f', qualified: 'f', firstLine: 2, headerLine: 2, lastLine: 3 };
  const [found] = withReads([constant as ProjectFunction], [long], [reader as ProjectFunction]);
  expect(found?.reads).toEqual([]);
});

// What is quadratic takes minutes, or ends the process for want of memory.
test.each([
  ['python', `${'x = 1\n'.repeat(10_000)}def f(a):\n    return x\n`],
  ['python', `${numbered(2000, at => `a${at} = 1\n`)}${numbered(2000, at => `def g${at}():\n    a1\n`)}`],
  ['js', `export const x = { a: 1 };\n${'x.a = 1;\n'.repeat(10_000)}`],
  ['js', `export class A {\n${numbered(8000, at => ` a${at} = 1 + this.a1;\n`)}}\n`],
] as const)(
  'suspects of %s with thousands of constants of one name are found soon',
  async (language, code) => {
    const file = fileOf(language === 'js' ? 'm.js' : 'm.py', code);
    const lines = { [file.path]: Array.from({ length: 20_000 }, (_, at) => at + 1) };
    const project = {
      ...{ parser: await openParser(language), check: async () => {} },
      ...{ source: () => file, sources: [file.path], targetFile: null, isOwn: () => true },
      plan: { sources: [], entryPoint: null, doctest: [], tests: [] },
    };
    const started = performance.now();
    const tests = [{ id: 't', outcome: 'failed', lines }] as const;
    const found = await projectSuspects(project, tests, null, new AbortController().signal);
    expect(found.length).toBeGreaterThan(1000);
    expect(performance.now() - started).toBeLessThan(10_000);
  },
  60_000,
);

test('thousands of imports are looked up in thousands of files', () => {
  const imports = numbered(1000, at => `import b${at}\n`);
  const moduleIn = modulesByFile(importsOf(fileOf('m.py', imports.repeat(80))));
  const found = Array.from({ length: 10_000 }, (_, at) => `pkg/b${at}.py`).filter(path => moduleIn(path));
  expect(found).toHaveLength(1000);
});

test('a line that joins one long name with many is no import', () => {
  const line = `from ${'a'.repeat(300_000)} import ${'b,'.repeat(200_000)}c\n`;
  expect(importsOf(fileOf('m.py', line))).toEqual([]);
});

test.each([
  [6, 'inner'],
  [8, 'outer'],
  [9, 'next'],
  [12, null],
])('the innermost function at line %i is %s', (line, wanted) => {
  const each = (name: string, headerLine: number, lastLine: number) =>
    ({ name, headerLine, lastLine }) as ProjectFunction;
  const all = [each('outer', 5, 9), each('arrow', 5, 5), each('inner', 6, 7), each('next', 9, 11)];
  expect(functionsByLine(all)(line)?.name ?? null).toBe(wanted);
});
