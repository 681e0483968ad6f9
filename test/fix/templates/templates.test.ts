import { expect, test } from 'vitest';
import type { Language } from '../../../lib/core/task.ts';
import { projectNames } from '../../../lib/fix/templates/project-names.ts';
import { templates } from '../../../lib/fix/templates/templates.ts';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

async function editsOf(language: Language, code: string, rest = ''): Promise<string[]> {
  const parser = await openParser(language);
  const name = /(?:def|function)\*? (\w+)/.exec(code)?.[1] ?? '';
  const names = projectNames(`${code}${rest}`, 1);
  return [...enumerateEdits(parser, code, name, 10_000, templates(names))].flatMap(
    mutant => mutant?.code ?? [],
  );
}

const python: readonly (readonly [string, string, string, string?])[] = [
  [
    'an attribute',
    'def full(self):\n    return self.size > 3\n',
    'self.size > self.limit',
    'self.limit = 1\n',
  ],
  [
    'an attribute as a term',
    'def rest(self, n):\n    return n < self.size\n',
    'self.size + self.extra',
    'self.extra = 1\n',
  ],
  [
    'the last chunk',
    'def parts(xs):\n    part = []\n    for x in xs:\n        yield part\n',
    '\n    if part: yield part',
  ],
  [
    'a value that is there',
    'def get(given):\n    if given:\n        return given\n',
    'if given is not None:',
  ],
  [
    'a guard before a condition',
    'def first(xs):\n    if xs[0] > 1:\n        return xs\n',
    'if xs and xs[0] > 1',
  ],
  ['an early return', 'def mean(xs):\n    return sum(xs) / len(xs)\n', 'if not xs: return 0\n'],
  ['a copy of a parameter', 'def add(x, xs=[]):\n    xs.append(x)\n    return xs\n', 'xs = list(xs)\n'],
  ['an awaited call', 'async def f(read):\n    return read()\n', 'return await read()'],
  ['a quotient rounded up', 'def pages(n, size):\n    return n // size + 1\n', 'return -(-n // size)'],
  ['a sum before a product', 'def f(c):\n    return (c + 32) * 9 / 5\n', 'return c * 9 / 5 + 32'],
  ['numbers of text', 'def f(make, parts):\n    return make(*parts)\n', 'make(*map(int, parts))'],
  [
    'a function of the file',
    'def f(rows):\n    return [r for r in rows]\n',
    'in turned(rows)',
    'def turned(x):\n    return x\n',
  ],
  ['the mode of a file', "def f(path):\n    return open(path, 'w')\n", "open(path, 'a')"],
  ['a sum in an item', 'def f(d, k, n):\n    d[k] = n\n', 'd[k] = d.get(k, 0) + n'],
  [
    'an index shifted throughout',
    'def f(xs, m):\n    return xs[m] + xs[m + 1]\n',
    'xs[(m - 1)] + xs[(m - 1) + 1]',
  ],
  ['a negated key', 'def f(a, b):\n    return (a, b)\n', '(a, -b)'],
  [
    'a comparison that is turned around',
    'def f(n, end, step):\n    while n < end:\n        n += step\n',
    'while (n < end if step > 0 else n > end):',
  ],
  ['the first key', 'def f(d, k):\n    d.pop(k)\n', 'd.pop(next(iter(d)))'],
  ['a loop', 'def f(n):\n    if n > 3:\n        n -= 3\n    return n\n', 'while n > 3'],
];

test.for(python)('in Python, %s', async ([_, code, wanted, rest]) => {
  expect((await editsOf('python', code, rest)).filter(edited => edited.includes(wanted))).not.toEqual([]);
});

const javascript: readonly (readonly [string, string, string])[] = [
  ['a loop', 'function f(n) {\n  if (n > 3) n -= 3;\n  return n;\n}\n', 'while (n > 3)'],
  [
    'an item that is skipped',
    'function f(xs) {\n  for (const x of xs) {\n    g(x);\n  }\n}\n',
    "if (x === '') continue;",
  ],
  ['a place instead of the end', 'function f(xs, i, v) {\n  xs.push(v);\n}\n', 'xs[i] = v'],
  [
    'a comparison that is turned around',
    'function* f(n, end, step) {\n  for (let i = n; i < end; i += step) yield i;\n}\n',
    '(step > 0 ? i < end : i > end)',
  ],
  ['the first key', 'function f(m, k) {\n  m.delete(k);\n}\n', 'm.delete(m.keys().next().value)'],
  ['a separator', 'function f(a) {\n  return `_$' + '{a}`;\n}\n', '`-'],
  ['an attribute', 'function f(n) {\n  return n > this.size;\n}\nthis.limit = 1;\n', 'n > this.limit'],
];

test.each(javascript)('in JavaScript, %s', async (_, code, wanted) => {
  expect((await editsOf('js', code)).filter(edited => edited.includes(wanted))).not.toEqual([]);
});
