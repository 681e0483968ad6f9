import { expect, test } from 'vitest';
import type { TestResult } from '../../../lib/core/project-tests.ts';
import { constantsIn, repairableIn } from '../../../lib/fix/localise/constants.ts';
import { executes } from '../../../lib/fix/localise/functions.ts';
import { projectSuspects } from '../../../lib/fix/localise/project-suspects.ts';
import { readSource, type SourceFile } from '../../../lib/fix/patch/source-file.ts';
import { openParser, openTypeScriptParser } from '../../../lib/syntax/parser.ts';

const fileOf = (path: string, text: string): SourceFile => readSource(path, Buffer.from(text));

const javascript = `import { a } from './a.js';
const fs = require('fs');
const PATTERN = /x+/;
export const UNITS = {
  s: 1,
  half: n => n / 2,
};
const other = PATTERN;
const double = n => 2 * n;
class Box {
  static LIMIT = 3;
  size() {
    const inner = 4;
    return inner;
  }
}
const first = 1,
  second = 2;
exports.names = ['a'];
const merge = curry(function (one, two) {
  return one + two;
});
export default { depth: 5 };
`;

test('constants of JavaScript are values with literals at the top level and in fields, not functions and imports', async () => {
  const found = constantsIn(await openParser('js'), fileOf('a.js', javascript));
  expect(found.map(({ qualified, firstLine, lastLine }) => [qualified, firstLine, lastLine])).toEqual([
    ['PATTERN', 3, 3],
    ['UNITS', 4, 7],
    ['Box.LIMIT', 11, 11],
    ['first', 17, 18],
    ['second', 17, 18],
    ['names', 19, 19],
    ['merge', 20, 22],
    ['default', 23, 23],
  ]);
});

test('constants of TypeScript and Python may have types', async () => {
  const typed =
    'class Box {\n  private readonly limit: number = 3;\n}\nexport const A: RegExp = /a/;\ntype B = 1;\n';
  const inTypeScript = constantsIn(await openTypeScriptParser(false), fileOf('a.ts', typed));
  expect(inTypeScript.map(({ qualified }) => qualified)).toEqual(['Box.limit', 'A']);
  const python = `__version__ = '1'
LIMIT: int = 3
NAME = re.compile(r'\\w')
T = TypeVar('T')
log = logging.getLogger('a')
class Box:
    kinds = {'a': 1}
    def size(self):
        inner = 4
`;
  const inPython = constantsIn(await openParser('python'), fileOf('a.py', python));
  expect(inPython.map(({ qualified }) => qualified)).toEqual(['LIMIT', 'NAME', 'Box.kinds']);
});

test('a test executes a constant that its functions read, also through another constant', async () => {
  const code = `const DIGIT = '[0-9]';
const NUMBER = new RegExp(DIGIT + '+');
const UNUSED = 'x';
class Box {
  static LIMIT = 3;
  read(text) {
    return NUMBER.exec(text);
  }
  full() {
    return this.items > Box.LIMIT;
  }
}
`;
  const all = repairableIn(await openParser('js'), fileOf('a.js', code));
  const test = (line: number): TestResult => ({ id: 't', outcome: 'failed', lines: { 'a.js': [line] } });
  const executed = (line: number) =>
    all.filter(each => executes(test(line), each)).map(({ qualified }) => qualified);
  expect(executed(7)).toEqual(['Box.read', 'DIGIT', 'NUMBER']);
  expect(executed(10)).toEqual(['Box.full', 'Box.LIMIT']);
});

const files = [
  fileOf(
    'lib/read.js',
    `import { UNITS, words } from './units.js';
const SPACE = /\\s+/;
export function read(text) {
  const [count, unit] = text.split(SPACE);
  return count * UNITS[unit];
}
export function say(unit) {
  return words[unit];
}
`,
  ),
  fileOf(
    'lib/units.js',
    "export const UNITS = {\n  min: 60,\n  hour: 360,\n};\nexport const words = { h: 'hour' };\n",
  ),
  fileOf('lib/unrelated.js', 'export const UNITS = { pound: 1 };\n'),
];

async function suspectsOf(tests: readonly TestResult[]) {
  const source = (path: string): SourceFile => {
    const file = files.find(each => each.path === path);
    if (!file) throw new Error(`There is no ${path}.`);
    return file;
  };
  const sources = files.map(({ path }) => path);
  const plan = { sources, entryPoint: null, doctest: [], tests: [] };
  const parser = await openParser('js');
  const project = {
    parser,
    check: async () => {},
    source,
    sources,
    targetFile: null,
    isOwn: () => true,
    plan,
  };
  return projectSuspects(project, tests, null, new AbortController().signal);
}

const tests: readonly TestResult[] = [
  { id: 'hour', outcome: 'failed', message: 'read("2 hour")', lines: { 'lib/read.js': [4, 5] } },
  { id: 'minutes', outcome: 'passed', lines: { 'lib/read.js': [4, 5] } },
  { id: 'words', outcome: 'passed', lines: { 'lib/read.js': [8] } },
];

test('constants that the suspicious lines read come after the functions, also those of imported files', async () => {
  const suspects = await suspectsOf(tests);
  const names = suspects.map(({ function: { kind, file, qualified } }) => [kind, file.path, qualified]);
  expect(names).toEqual([
    ['function', 'lib/read.js', 'read'],
    ['constant', 'lib/read.js', 'SPACE'],
    ['constant', 'lib/units.js', 'UNITS'],
  ]);
});

test('constants that a line of a traceback reads come before its function', async () => {
  const traced = tests.map((each): TestResult => ({ ...each, frames: [['lib/read.js', 5]] }));
  const suspects = await suspectsOf(traced);
  expect(suspects.map(({ function: { qualified } }) => qualified)).toEqual(['UNITS', 'read', 'SPACE']);
});

test('lines that the failing test names are the most suspicious of a constant', async () => {
  const units = (await suspectsOf(tests)).at(-1);
  expect(units?.suspicion).toBeCloseTo(0.9 / Math.SQRT2);
  const most = [...(units?.lines ?? [])].filter(([, suspicion]) => suspicion === units?.suspicion);
  expect(most.map(([line]) => line)).toEqual([3]);
});

test('constants that only passing tests need, or no executed line reads, are no suspects', async () => {
  const passing = tests.map(each => ({ ...each, outcome: 'passed' as const }));
  expect(await suspectsOf(passing)).toEqual([]);
  const inSay = await suspectsOf([
    { ...passing[2], id: 'words', outcome: 'failed', lines: { 'lib/read.js': [8] } },
  ]);
  expect(inSay.map(each => each.function.qualified)).toEqual(['say', 'words']);
});

test('constants of a file of tests are no suspects', async () => {
  const script = [{ ...tests[0], id: 'lib/read.js > hour', outcome: 'failed' as const }];
  const names = (await suspectsOf(script)).map(each => each.function.file.path);
  expect(names).not.toContain('lib/read.js');
});
