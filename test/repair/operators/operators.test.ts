import { beforeAll, describe, expect, test } from 'vitest';
import type { Language } from '../../../lib/core/task.ts';
import type { FailureFacts } from '../../../lib/repair/operators/facts.ts';
import { fileNames } from '../../../lib/repair/operators/facts.ts';
import { viewOf } from '../../../lib/repair/operators/function-view.ts';
import { projectOperators } from '../../../lib/repair/operators/operators.ts';
import { taskOperators } from '../../../lib/repair/operators/task-operators.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';

const parsers = new Map<Language, SyntaxParser>();
beforeAll(async () => {
  for (const language of ['python', 'js'] as const) parsers.set(language, await openParser(language));
});

function parserOf(language: Language): SyntaxParser {
  const parser = parsers.get(language);
  if (!parser) throw new Error(`There is no parser for ${language}.`);
  return parser;
}

const facts: FailureFacts = {
  raised: [],
  awaited: [],
  texts: [],
  numbers: [],
  otherNumbers: [],
  values: [
    { actual: "'to@ here'", expected: "'to @ here'" },
    { actual: "'Öl'", expected: "'öl'" },
  ],
};

const { operators } = await projectOperators('python');

/** The programs that an operator makes of the only function. @param rest what follows it in its file */
function made(name: string, language: Language, code: string, rest = ''): string[] {
  const operator = operators.find(each => each.name === name);
  if (!operator) throw new Error(`There is no operator ${name}.`);
  const [, functionName = 'f'] = /(?:def|function)\*? (\w+)/.exec(code) ?? [];
  return parserOf(language).read(code, root => {
    const view = viewOf(root, code, functionName, language, fileNames(code + rest, 1), facts);
    const edits = view ? operator.edits(view) : [];
    return edits.map(({ start, end, text }) => code.slice(0, start) + text + code.slice(end));
  });
}

interface Example {
  readonly language: Language;
  readonly code: string;
}

function py(...lines: readonly string[]): Example {
  return { language: 'python', code: `def f(a, b):\n${lines.map(line => `    ${line}\n`).join('')}` };
}

function js(...lines: readonly string[]): Example {
  return { language: 'js', code: `const f = (a, b) => {\n${lines.map(line => `  ${line}\n`).join('')}}\n` };
}

/** By operator: a function, and the same after one of its edits. */
const ofTasks: Readonly<
  Record<string, readonly (readonly [about: string, buggy: Example, right: Example])[]>
> = {
  'operator swapped': [
    ['swaps a comparison', py('return a < b'), py('return a <= b')],
    ['swaps an operator', py('return a - b'), py('return a + b')],
    ['swaps a connective', py('return a and b'), py('return a or b')],
    ['swaps the second comparison of a chain', py('return 0 < a < b'), py('return 0 < a <= b')],
    ['swaps a comparison', js('return a < b;'), js('return a <= b;')],
    [
      'moves a loop’s bound',
      js('for (let i = 0; i < a; i++) b += i;', 'return b;'),
      js('for (let i = 0; i <= a; i++) b += i;', 'return b;'),
    ],
  ],
  'assignment swapped': [['swaps an assignment', py('a += b', 'return a'), py('a -= b', 'return a')]],
  'number changed': [
    ['changes a number by one', py('return a[0]'), py('return a[1]')],
    ['takes another number of the function', py('return a * 60 + b * 6'), py('return a * 60 + b * 60')],
  ],
  'variable swapped': [
    ['takes another variable', py('return a - a'), py('return a - b')],
    ['returns another variable', py('return b'), py('return a')],
    ['takes another variable', js('return a - a;'), js('return a - b;')],
  ],
  'arguments swapped': [
    ['swaps arguments', py('return max(a, b)', 'x = 1'), py('return max(b, a)', 'x = 1')],
  ],
  'function swapped': [
    ['takes another function', py('return min(a, b)'), py('return max(a, b)')],
    ['takes another method', py('return a.upper()'), py('return a.lower()')],
    ['takes another method', js('return a.some(x => x);'), js('return a.every(x => x);')],
  ],
  'condition negated': [
    [
      'negates a condition',
      py('if a:', '    return b', 'return a'),
      py('if not (a):', '    return b', 'return a'),
    ],
    ['negates a part of a condition', py('return a and b'), py('return a and not (b)')],
    ['negates a condition', js('if (a) return b;', 'return a;'), js('if (!(a)) return b;', 'return a;')],
  ],
  'wrapper dropped': [['drops a not', py('return not a'), py('return a')]],
  'term dropped': [
    ['drops a term', py('return a + b + 1'), py('return a + b')],
    ['drops a condition', py('return a > 0 and b'), py('return a > 0')],
  ],
  'statement dropped': [['drops a statement', py('a.sort()', 'return a'), py('return a')]],
  'index changed': [
    ['moves an index', py('return a[b]'), py('return a[b + 1]')],
    ['moves a slice', py('return a[1:]'), py('return a[:]')],
  ],
  'off by one': [['adds one', py('return range(a)'), py('return range(a + 1)')]],
  'wrapper added': [
    ['wraps a value', py('return a - b'), py('return abs(a - b)')],
    ['sorts', py('return a'), py('return sorted(a)')],
    ['wraps a value', js('return a / b;'), js('return Math.floor(a / b);')],
  ],
  'boolean changed': [['flips a truth', py('return True'), py('return False')]],
  'text changed': [['changes a text', py("return ' '.join(a)"), py("return ''.join(a)")]],
  'condition added': [
    ['adds a condition', py('if a > b:', '    return a'), py('if a > b and a != b:', '    return a')],
  ],
  'statement added': [
    ['adds an update', py('while a < b:', '    b = b'), py('while a < b:', '    b = b', '    a += 1')],
    ['adds a guard', py('return a[0]'), py('if not a: return None', 'return a[0]')],
    ['adds a return', py('if a:', '    b = 1'), py('if a:', '    b = 1', 'return b')],
  ],
  'term added': [['adds a term', py('return a'), py('return a + b')]],
  'return changed': [['returns the opposite', py('return a'), py('return not a')]],
  'subscript added': [['adds a subscript', py('x = b[0]', 'return a'), py('x = b[0]', 'return a[0]')]],
  'operands swapped': [['puts texts the other way round', py('return a + b'), py('return b + a')]],
  'beginning changed': [
    ['begins with another value', py('x = 0', 'return x'), py("x = float('-inf')", 'return x')],
    ['begins with another value', js('let x = 0;', 'return x;'), js('let x = Infinity;', 'return x;')],
  ],
  'constant for variable': [['takes a variable for a text', py("return len('a')"), py('return len(a)')]],
  'argument added': [
    ['adds a known argument', py('return sorted(a)'), py('return sorted(a, reverse=True)')],
    ['adds a first argument', py('return range(a)'), py('return range(1, a)')],
    ['adds a variable as argument', py('return round(a)'), py('return round(a, b)')],
    ['sorts by number', js('return a.sort();'), js('return a.sort((a, b) => a - b);')],
  ],
  'statement moved': [
    [
      'moves a return out of a loop',
      py('for x in a:', '    b += x', '    return b'),
      py('for x in a:', '    b += x', 'return b'),
    ],
    [
      'moves a statement into a loop',
      py('for x in a:', '    x += 1', 'b += x', 'return b'),
      py('for x in a:', '    x += 1', '    b += x', 'return b'),
    ],
    [
      'moves a statement out of a branch that is not the last',
      py('if a:', '    b = 1', '    a = 2', 'else:', '    b = 2', 'return b'),
      py('if a:', '    b = 1', 'else:', '    b = 2', 'a = 2', 'return b'),
    ],
    [
      'moves a return out of a loop',
      js('for (const x of a) {', '  b += x;', '  return b;', '}'),
      js('for (const x of a) {', '  b += x;', '}', 'return b;'),
    ],
    [
      'moves a statement into a loop',
      js('for (const x of a) {', '  x++;', '}', 'b += x;', 'return b;'),
      js('for (const x of a) {', '  x++;', '  b += x;', '}', 'return b;'),
    ],
  ],
  'statements exchanged': [
    ['exchanges statements', py('a = b', 'b = a', 'return b'), py('b = a', 'a = b', 'return b')],
  ],
  'jump swapped': [['swaps a jump', py('for x in a:', '    break'), py('for x in a:', '    continue')]],
  'branch joined': [
    [
      'parts branches',
      py('if a:', '    b = 1', 'elif b:', '    b = 2', 'return b'),
      py('if a:', '    b = 1', 'if b:', '    b = 2', 'return b'),
    ],
    [
      'joins branches',
      py('if a:', '    b = 1', 'if b:', '    b = 2', 'return b'),
      py('if a:', '    b = 1', 'elif b:', '    b = 2', 'return b'),
    ],
    [
      'parts branches',
      js('if (a) {', '  b = 1;', '} else if (b) {', '  b = 2;', '}'),
      js('if (a) {', '  b = 1;', '} if (b) {', '  b = 2;', '}'),
    ],
    [
      'joins branches',
      js('if (a) {', '  b = 1;', '}', 'if (b) {', '  b = 2;', '}'),
      js('if (a) {', '  b = 1;', '}', 'else if (b) {', '  b = 2;', '}'),
    ],
  ],
  'clause dropped': [
    [
      'drops an else',
      py('if a:', '    b = 1', 'else:', '    b = 2', 'return b'),
      py('if a:', '    b = 1', 'return b'),
    ],
  ],
  'argument dropped': [['drops an argument', py('return round(a, b)'), py('return round(a)')]],
  'condition dropped': [['takes a branch always', py('return a if b else 0'), py('return a')]],
  'target swapped': [['assigns to another variable', py('a = 1', 'return b'), py('b = 1', 'return b')]],
};

/** By operator of projects, without those of one language: a function, a part of the result, and what follows it in its file. */
const ofProjects: Readonly<
  Record<
    string,
    readonly (readonly [about: string, language: Language, code: string, part: string, rest?: string])[]
  >
> = {
  'attribute changed': [
    [
      'an attribute',
      'python',
      'def full(self):\n    return self.size > 3\n',
      'self.size > self.limit',
      'self.limit = 1\n',
    ],
    [
      'an attribute as a term',
      'python',
      'def rest(self, n):\n    return n < self.size\n',
      'self.size + self.extra',
      'self.extra = 1\n',
    ],
    [
      'an attribute',
      'js',
      'function f(n) {\n  return n > this.size;\n}\nthis.limit = 1;\n',
      'n > this.limit',
    ],
  ],
  'result as expected': [
    ['another case', 'python', 'def f(a):\n    return a + a\n', 'return (a + a).lower()'],
    ['another case', 'js', 'function f(a) {\n  return a + a;\n}\n', 'return (a + a).toLowerCase()'],
  ],
  'text interpolated': [
    ['the name of a variable', 'python', "def f(a):\n    return 'no {a!r}'\n", "return f'no {a!r}'"],
    [
      'the name of a variable',
      'js',
      "function f(a) {\n  return 'no $" + "{a.name}';\n}\n",
      'return `no $' + '{a.name}`;',
    ],
  ],
  'text as expected': [
    ['a text of the wrong value', 'python', "def f(a):\n    return f'@ {a}'\n", "f' @ {a}'"],
    ['a text with escapes', 'python', "def f(a):\n    return 'to@ \\\\n' + a\n", "return 'to @ \\\\n' + a"],
    ['a text of the wrong value', 'js', 'function f(a) {\n  return `@ $' + '{a}`;\n}\n', '` @ $'],
  ],
  'attribute of file taken': [
    [
      'another attribute',
      'python',
      'def f(a):\n    return a.css\n',
      'return a.hex',
      'def g(color):\n    return color.hex\n',
    ],
  ],
  'action repeated after loop': [
    [
      'the last chunk',
      'python',
      'def parts(xs):\n    part = []\n    for x in xs:\n        yield part\n',
      '\n    if part: yield part',
    ],
  ],
  'presence tested': [
    [
      'a value that is there',
      'python',
      'def get(given):\n    if given:\n        return given\n',
      'if given is not None:',
    ],
    [
      'a guard before a condition',
      'python',
      'def first(xs):\n    if xs[0] > 1:\n        return xs\n',
      'if xs and xs[0] > 1',
    ],
  ],
  'guard or copy added': [
    ['an early return', 'python', 'def mean(xs):\n    return sum(xs) / len(xs)\n', 'if not xs: return 0\n'],
    [
      'a copy of a parameter',
      'python',
      'def add(x, xs=[]):\n    xs.append(x)\n    return xs\n',
      'xs = list(xs)\n',
    ],
    [
      'an item that is skipped',
      'js',
      'function f(xs) {\n  for (const x of xs) {\n    g(x);\n  }\n}\n',
      "if (x === '') continue;",
    ],
  ],
  'value awaited or converted': [
    ['an awaited call', 'python', 'async def f(read):\n    return read()\n', 'return await read()'],
    ['numbers of text', 'python', 'def f(make, parts):\n    return make(*parts)\n', 'make(*map(int, parts))'],
    [
      'a function of the file',
      'python',
      'def f(rows):\n    return [r for r in rows]\n',
      'in turned(rows)',
      'def turned(x):\n    return x\n',
    ],
  ],
  'value rounded or negated': [
    [
      'a quotient rounded up',
      'python',
      'def pages(n, size):\n    return n // size + 1\n',
      'return -(-n // size)',
    ],
    ['a negated key', 'python', 'def f(a, b):\n    return (a, b)\n', '(a, -b)'],
  ],
  'term regrouped': [
    ['a sum before a product', 'python', 'def f(c):\n    return (c + 32) * 9 / 5\n', 'return c * 9 / 5 + 32'],
  ],
  'separator changed': [
    ['the mode of a file', 'python', "def f(path):\n    return open(path, 'w')\n", "open(path, 'a')"],
    ['a separator', 'js', 'function f(a) {\n  return `_$' + '{a}`;\n}\n', '`-'],
  ],
  'update changed': [
    ['a sum in an item', 'python', 'def f(d, k, n):\n    d[k] = n\n', 'd[k] = d.get(k, 0) + n'],
    ['a place instead of the end', 'js', 'function f(xs, i, v) {\n  xs.push(v);\n}\n', 'xs[i] = v'],
  ],
  'name changed throughout': [
    [
      'an index shifted throughout',
      'python',
      'def f(xs, m):\n    return xs[m] + xs[m + 1]\n',
      'xs[(m - 1)] + xs[(m - 1) + 1]',
    ],
  ],
  'comparison mirrored': [
    [
      'a comparison that is turned around',
      'python',
      'def f(n, end, step):\n    while n < end:\n        n += step\n',
      'while (n < end if step > 0 else n > end):',
    ],
    [
      'a comparison that is turned around',
      'js',
      'function* f(n, end, step) {\n  for (let i = n; i < end; i += step) yield i;\n}\n',
      '(step > 0 ? i < end : i > end)',
    ],
  ],
  'first key taken': [
    ['the first key', 'python', 'def f(d, k):\n    d.pop(k)\n', 'd.pop(next(iter(d)))'],
    ['the first key', 'js', 'function f(m, k) {\n  m.delete(k);\n}\n', 'm.delete(m.keys().next().value)'],
  ],
  'loop for branch': [
    ['a loop', 'python', 'def f(n):\n    if n > 3:\n        n -= 3\n    return n\n', 'while n > 3'],
    ['a loop', 'js', 'function f(n) {\n  if (n > 3) n -= 3;\n  return n;\n}\n', 'while (n > 3)'],
  ],
  'operand simplified': [
    ['a variable instead of a call', 'python', 'def f(a, b):\n    return a + len(b)\n', 'return a + b'],
  ],
  'grouped term added': [
    ['a difference before a product', 'python', 'def f(a, b):\n    return a * b\n', 'return (a - 1) * b'],
  ],
};

test('each operator has an example', () => {
  const shared = operators.filter(({ languages }) => languages?.length !== 1);
  const names = (projectsOnly: boolean) =>
    shared.filter(each => taskOperators.includes(each) !== projectsOnly).map(({ name }) => name);
  expect(Object.keys(ofTasks).toSorted()).toEqual(names(false).toSorted());
  expect(Object.keys(ofProjects).toSorted()).toEqual(names(true).toSorted());
});

describe.for(Object.entries(ofTasks))('%s', ([name, examples]) => {
  test.for(examples)('%s', ([, { language, code }, right]) => {
    const parser = parserOf(language);
    const programs = made(name, language, code).filter(program => parser.parses(program));
    expect(programs.map(program => parser.fingerprint(program))).toContain(parser.fingerprint(right.code));
  });
});

describe.for(Object.entries(ofProjects))('%s', ([name, examples]) => {
  test.for(examples)('%s in %s', ([, language, code, part, rest]) => {
    expect(made(name, language, code, rest).filter(program => program.includes(part))).not.toEqual([]);
  });
});

/** The names of the operators that make an edit. */
function applying({ language, code }: Example): string[] {
  return operators
    .filter(({ languages }) => languages?.length !== 1)
    .filter(({ name }) => made(name, language, code).length > 0)
    .map(({ name }) => name);
}

test.each<[about: string, example: Example, operators: string]>([
  [
    'a jump',
    py('for x in a:', '    break'),
    'variable swapped, statement dropped, jump swapped, wrapper added, subscript added, value awaited or converted, guard or copy added, constant for variable, statement added',
  ],
  ['a call', py('print()'), 'statement dropped, argument added, guard or copy added, statement added'],
  [
    'a comparison',
    py('return a < b'),
    'result as expected, operator swapped, variable swapped, statement dropped, off by one, wrapper added, return changed, subscript added, guard or copy added, constant for variable, term added, statement added',
  ],
  [
    'a branch',
    js('if (a) return b;'),
    'result as expected, variable swapped, statement dropped, off by one, condition negated, condition dropped, wrapper added, return changed, subscript added, loop for branch, presence tested, guard or copy added, grouped term added, constant for variable, condition added, term added, statement added',
  ],
])('where operators apply: %s', (_, example, names) => {
  expect(applying(example).join(', ')).toBe(names);
});
