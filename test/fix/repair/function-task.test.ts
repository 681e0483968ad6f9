import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { constantsIn, repairableIn } from '../../../lib/fix/localise/constants.ts';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { encoded, readSource } from '../../../lib/fix/patch/source-file.ts';
import { languageOf } from '../../../lib/fix/project/target.ts';
import { functionEdits } from '../../../lib/fix/repair/function-edits.ts';
import { functionTask } from '../../../lib/fix/repair/function-task.ts';
import { noFacts } from '../../../lib/repair/operators/facts.ts';
import { openParser, openTypeScriptParser } from '../../../lib/syntax/parser.ts';
import { readProjects } from '../projects.ts';

const EDITS = 10;
const names =
  'account-method async-retry crlf-lines decorated-function defined-twice large-file latin-1-source module-pattern nested-function node-test-arrow node-test-class node-test-table tab-indentation temperature-property';

describe('a candidate of any function or constant changes no byte outside of it', async () => {
  const projects = (await readProjects()).filter(({ name }) => names.split(' ').includes(name));
  test.each(projects)('candidates in $name', async ({ folder }) => {
    const { signal } = new AbortController();
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const language = languageOf(path);
      if (language === null) continue;
      const parser = await openParser(language);
      const file = readSource(path, readFileSync(join(folder, path)));
      const lines = rawLines(file.bytes);
      for (const found of repairableIn(parser, file).slice(-10)) {
        const task = functionTask(parser, language, file.text, found);
        const edits = functionEdits(task, new Map(), { parser, signal, failures: noFacts });
        const before = Buffer.concat(lines.slice(0, found.firstLine - 1));
        const after = Buffer.concat(lines.slice(found.lastLine));
        for (const edit of (await edits.upTo(EDITS)).slice(0, EDITS)) {
          const text = task.fileWith(edit);
          const bytes = text === null ? null : encoded(file, text);
          if (bytes === null) continue;
          expect(bytes.equals(file.bytes)).toBe(false);
          expect(bytes.subarray(0, before.length).equals(before)).toBe(true);
          expect(bytes.subarray(bytes.length - after.length).equals(after)).toBe(true);
        }
        edits.close();
      }
    }
  });
});

const forms = `exports.half = n => n / 3;
exports.third = function (n) {
  return n / 2;
};
const table = { add: (a, b) => a - b };
const api = {
  total(items) {
    return items.length - 1;
  },
  'rest': async items => {
    return items.length - 2;
  },
};
class Box {
  #items = [];
  width = () => this.#items.length - 3;
  #inner(n) {
    return n - 4;
  }
  static of(n) {
    return n - 5;
  }
  get size() {
    return this.#items.length - 6;
  }
  static async* pages(n) {
    yield n - 7;
  }
  *[Symbol.iterator]() {
    yield this.#items.length - 8;
  }
  async delete(n) {
    return n - 9;
  }
}
const Bag = class {
  $count(n) {
    return n - 10;
  }
};
export default n => n - 11;
`;

test.each([
  ['half', 'exports.half = n => n * 3;\n'],
  ['third', '  return n * 2;\n'],
  ['add', '{ add: (a, b) => a + b };\n'],
  ['total', '    return items.length + 1;\n  },\n'],
  ['rest', "  'rest': async items => {\n    return items.length + 2;\n  },\n"],
  ['width', '  width = () => this.#items.length + 3;\n'],
  ['#inner', '  #inner(n) {\n    return n + 4;\n'],
  ['of', '  static of(n) {\n    return n + 5;\n'],
  ['size', '  get size() {\n    return this.#items.length + 6;\n'],
  ['pages', '  static async* pages(n) {\n    yield n + 7;\n'],
  ['[Symbol.iterator]', '  *[Symbol.iterator]() {\n    yield this.#items.length + 8;\n'],
  ['delete', '  async delete(n) {\n    return n + 9;\n'],
  ['$count', '  $count(n) {\n    return n + 10;\n'],
  ['default', 'export default n => n + 11;\n'],
])('finds edits of the JavaScript function %s, which may be a property or a member', async (name, wanted) => {
  const parser = await openParser('js');
  const file = readSource('a.js', Buffer.from(forms));
  const found = functionsIn(parser, file).find(each => each.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  const task = functionTask(parser, 'js', forms, found);
  const edits = functionEdits(task, new Map(), {
    parser,
    signal: new AbortController().signal,
    failures: noFacts,
  });
  const texts = (await edits.upTo(100)).map(edit => task.fileWith(edit));
  expect(texts.filter(text => text?.includes(wanted))).toHaveLength(1);
  edits.close();
});

test.each([
  ['js', 'const LIMIT = 3;\n', 'const LIMIT = 4;\n'],
  ['js', 'export const PATTERN =\n  /a+/i;\n', 'export const PATTERN =\n  /a*/i;\n'],
  ['js', 'var first = 1,\n  second = 2;\n', 'var first = 0,\n  second = 2;\n'],
  ['js', "exports.names = ['a', 'b'];\n", "exports.names = ['b', 'b'];\n"],
  ['js', 'export default { depth: 5 };\n', 'export default { depth: 6 };\n'],
  ['js', 'class Box {\n  static LIMIT = 3;\n}\n', 'class Box {\n  static LIMIT = 4;\n}\n'],
  ['js', 'const f = memo(n => n - 1);\n', 'const f = memo(n => n + 1);\n'],
  [
    'ts',
    'class A {\n  private readonly b: number = 3;\n}\n',
    'class A {\n  private readonly b: number = 4;\n}\n',
  ],
  ['ts', 'export const A: RegExp = /a/;\n', 'export const A: RegExp = /a/i;\n'],
  ['python', 'LIMIT: int = 3\n', 'LIMIT: int = 4\n'],
  ['python', "class Box:\n    name = re.compile(r'a+')\n", "class Box:\n    name = re.compile(r'a*')\n"],
])('finds edits of a %s constant: %j', async (language, code, wanted) => {
  const parser = language === 'ts' ? await openTypeScriptParser(false) : await openParser(language as 'js');
  const [found] = constantsIn(parser, readSource('a', Buffer.from(code)));
  if (!found) throw new Error('There is no constant.');
  const task = functionTask(parser, language === 'python' ? 'python' : 'js', code, found);
  const { signal } = new AbortController();
  const edits = functionEdits(task, new Map(), { parser, signal, failures: noFacts });
  const texts = (await edits.upTo(100)).map(edit => task.fileWith(edit));
  expect(texts.filter(text => text === wanted)).toHaveLength(1);
  expect(task.versionIn(`\`\`\`\n${wanted}\`\`\``)).toBeNull();
  edits.close();
});

test('functions have the names of the classes and objects around them', async () => {
  const parser = await openParser('js');
  const names = functionsIn(parser, readSource('a.js', Buffer.from(forms))).map(each => each.qualified);
  expect(names).toEqual(
    expect.arrayContaining(['table.add', 'api.total', 'api.rest', 'Box.#inner', 'Bag.$count', 'default']),
  );
  const typed = 'abstract class Shape {\n  area(): number {\n    return 1;\n  }\n}\n';
  const typeScript = await openTypeScriptParser(false);
  const [area] = functionsIn(typeScript, readSource('a.ts', Buffer.from(typed)));
  expect(area?.qualified).toBe('Shape.area');
});

/** With their endings. */
function rawLines(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(line => Buffer.from(line, 'latin1'));
}

test('above a docstring, only defaults of parameters change', async () => {
  const parser = await openParser('python');
  const code = 'def f(a, b: int, *, c=1):\n    """Says."""\n    return a\n';
  const file = readSource('a.py', Buffer.from(code));
  const [found] = functionsIn(parser, file);
  if (!found) throw new Error('There is no function.');
  const task = functionTask(parser, 'python', code, found);
  const withHeader = (header: string) => task.fileWith(`def f(${header}):\n    return a\n`);
  const whole = (header: string) => `def f(${header}):\n    """Says."""\n    return a\n`;
  expect(withHeader('a, b: int, *, c=None')).toBe(whole('a, b: int, *, c=None'));
  expect(withHeader('a, b: int = 0, *, c=1')).toBe(whole('a, b: int = 0, *, c=1'));
  expect(withHeader('a, b: int, *, d=1')).toBe(null);
  expect(withHeader('a, *, c=1')).toBe(null);
});
