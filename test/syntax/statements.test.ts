import { describe, expect, test } from 'vitest';
import type { Language } from '../../lib/core/task.ts';
import { openParser } from '../../lib/syntax/parser.ts';

const python = await openParser('python');
const javascript = await openParser('js');

const needsOf = (code: string) => python.statements(code).at(-1)?.needs;
const definesOf = (code: string) => python.statements(code).map(statement => statement.defines);

describe('Python', () => {
  test('a function needs names that it reads and does not bind', () => {
    const code = `
@cached(size=LIMIT)
def f(a: int, *rest, key=None, **more) -> Result:
    import json
    total = 0
    for i, (x, y) in enumerate(a):
        total += x.weight * scale(y, factor=i)
    with open(path) as file, lock:
        lines = [line.strip() for line in file if (n := len(line))]
    try:
        json.loads(key)
    except ValueError as error:
        raise Broken(error)
    return lambda z: z + total + offset
`;
    expect(needsOf(code)).toEqual([
      'cached',
      'LIMIT',
      'int',
      'Result',
      'enumerate',
      'scale',
      'open',
      'path',
      'lock',
      'len',
      'ValueError',
      'Broken',
      'offset',
    ]);
  });

  test('a global name is needed even if it is assigned', () => {
    expect(needsOf('def f():\n    global count\n    count = count + 1\n')).toEqual(['count']);
  });

  test('statements bind names, including in blocks', () => {
    expect(definesOf('a, (b, *c) = 1, (2, 3)')).toEqual([['a', 'b', 'c']]);
    expect(definesOf('import os.path, numpy as np\nfrom x import y as z\nfrom w import *')).toEqual([
      ['os', 'np'],
      ['z'],
      ['*'],
    ]);
    expect(definesOf('try:\n    import a\nexcept ImportError:\n    a = None\n')).toEqual([['a', 'a']]);
    expect(definesOf("if __name__ == '__main__':\n    a = 1\n")).toEqual([[]]);
    expect(definesOf('a.b = 1\na[0] = 2\n')).toEqual([[], []]);
  });

  test.each(['', '\n', '\n\n  \n'])('finds methods of a class, dedented, after %j', before => {
    const [solution] = python.statements(
      `${before}class Solution:\n    def f(self):\n        if self:\n            return 1\n`,
    );
    expect(solution?.inner.map(({ text }) => text)).toEqual(['def f(self):\n    if self:\n        return 1']);
  });

  test('dedents an indented function after an empty line', () => {
    const [f] = python.statements('\n    def f(a):\n        return a\n    f(1)\n\nmain()\n``');
    expect(f?.text).toBe('def f(a):\n    return a');
  });
});

describe('JavaScript', () => {
  test('a function needs names that it reads and does not bind', () => {
    const [f] = javascript.statements(`
const f = async (a, { b, c: [d = first] }, ...rest) => {
  for (const key in table) sum += helper(key, { b, shared });
  const inner = x => x.length + a;
  try { return inner(rest); } catch (error) { throw new Broken(error); }
};`);
    expect(f?.needs).toEqual(['first', 'table', 'sum', 'helper', 'shared', 'Broken']);
    expect(f?.signature?.text).toBe('const f = async (a, { b, c: [d = first] }, ...rest)');
  });
});

test('an unsupported language is refused by name', async () => {
  await expect(openParser('cobol' as Language)).rejects.toMatchObject({ code: 'LANGUAGE_UNSUPPORTED' });
});

describe('reads code nested deeper than the stack', () => {
  const sum = Array.from({ length: 5000 }, () => '1').join(' + ');
  test.each([
    ['Python', python, `def f(x):\n    return ${sum}\n`],
    ['JavaScript', javascript, `function f(x) {\n  return ${sum};\n}\n`],
    ['nested functions', javascript, `function f(x) {${'function f() {'.repeat(1000)}${'}'.repeat(1001)}`],
    ['nested calls', python, `def f(x):\n    return ${'f('.repeat(1000)}${')'.repeat(1000)}\n`],
    ['nested patterns', javascript, `const f = (${'['.repeat(1000)}a${']'.repeat(1000)}) => a;`],
  ])('%s', (_, parser, code) => {
    expect(parser.statements(code)[0]?.defines).toEqual(['f']);
    expect(parser.fingerprint(code)).not.toBe(
      parser.fingerprint(code.replace('x', 'y').replace('=> a', '=> b')),
    );
  });
});
