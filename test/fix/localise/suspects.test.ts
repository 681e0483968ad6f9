import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { rankSuspects } from '../../../lib/fix/localise/suspects.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const file = readSource(
  'a.py',
  Buffer.from(`def outer(x):
    def inner(y):
        return y

    return inner(x)


class Box:
    @property
    def size(self):
        return 1

    async def load(self):
        return 2
`),
);

test('finds functions with their owners and decorators, including nested ones', async () => {
  const found = functionsIn(await openParser('python'), file);
  expect(found.map(({ qualified, firstLine, lastLine }) => [qualified, firstLine, lastLine])).toEqual([
    ['outer', 1, 5],
    ['outer.inner', 2, 3],
    ['Box.size', 9, 11],
    ['Box.load', 13, 14],
  ]);
});

test('finds JavaScript functions: methods, arrows, in objects and exports', async () => {
  const code = `export const half = x => x / 2;
class Box {
  #size = 0;
  get size() {
    return this.#size;
  }
}
module.exports.twice = function (x) {
  return 2 * x;
};
const table = { add: (a, b) => a + b };
`;
  const found = functionsIn(await openParser('js'), readSource('a.js', Buffer.from(code)));
  expect(found.map(({ qualified }) => qualified)).toEqual(['half', 'Box.size', 'twice', 'table.add']);
});

test('a function that only failing tests execute comes first, and functions and lines of a traceback count more', async () => {
  const functions = functionsIn(await openParser('python'), file);
  const lines = (...numbers: number[]) => ({ 'a.py': numbers });
  const passed = { id: 'p', outcome: 'passed', lines: lines(5, 3) } as const;
  const failed = { id: 'f', outcome: 'failed', lines: lines(5, 3, 11) } as const;
  const ranked = rankSuspects(functions, [passed, failed]);
  expect(ranked.map(({ function: found }) => found.qualified)).toEqual(['Box.size', 'outer', 'outer.inner']);
  expect(ranked.map(({ suspicion }) => suspicion.toFixed(3))).toEqual(['1.000', '0.707', '0.707']);
  const [inBox, inOuter] = ranked.map(({ lines: suspicions }) => [...suspicions]);
  expect(inBox).toEqual([[11, 1]]);
  expect(inOuter?.map(([line, suspicion]) => [line, suspicion.toFixed(3)])).toEqual([[5, '0.707']]);
  const raised = rankSuspects(functions, [
    passed,
    {
      ...failed,
      frames: [
        ['a.py', 5],
        ['a.py', 3],
      ],
    },
  ]);
  expect(raised[0]?.function.qualified).toBe('outer.inner');
  const outer = raised.find(({ function: found }) => found.qualified === 'outer');
  expect([...(outer?.lines ?? [])].map(([, suspicion]) => suspicion.toFixed(3))).toEqual(['2.121']);
});

test('what tests compare or check with is less suspicious than what they call', async () => {
  const code =
    'class Box:\n    def __eq__(self, other):\n        return False\n\n    def add(self):\n        return 1\n';
  const helper = 'def same(a, b):\n    return a is b\n';
  const parser = await openParser('python');
  const functions = [
    ['a.py', code],
    ['a/testing/helper.py', helper],
  ].flatMap(([path = '', text = '']) => functionsIn(parser, readSource(path, Buffer.from(text))));
  const lines = (own: number[], helping: number[]) => ({ 'a.py': own, 'a/testing/helper.py': helping });
  const passed = { id: 'p', outcome: 'passed', lines: lines([6], []) } as const;
  const failed = { id: 'f', outcome: 'failed', lines: lines([3, 6], [2]) } as const;
  const ranked = rankSuspects(functions, [passed, failed]);
  expect(ranked.map(({ function: { name }, suspicion }) => [name, suspicion.toFixed(2)])).toEqual([
    ['add', '0.71'],
    ['__eq__', '0.50'],
    ['same', '0.25'],
  ]);
});
