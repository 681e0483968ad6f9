import { beforeAll, describe, expect, test } from 'vitest';
import { type FailureFacts, fileNames, noFacts } from '../../../lib/repair/operators/facts.ts';
import { viewOf } from '../../../lib/repair/operators/function-view.ts';
import { projectOperators } from '../../../lib/repair/operators/operators.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';

const { operators } = await projectOperators('python');

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await openParser('python');
});

/** The programs that an operator makes of a function and what follows it in its file. */
function made(name: string, code: string, rest: string, facts: FailureFacts): string[] {
  const operator = operators.find(each => each.name === name && each.languages?.[0] === 'python');
  if (!operator) throw new Error(`There is no operator ${name}.`);
  return parser.read(code, root => {
    const view = viewOf(root, code, 'f', 'python', fileNames(code + rest, 1), facts);
    const edits = view ? operator.edits(view) : [];
    return edits.map(({ start, end, text }) => code.slice(0, start) + text + code.slice(end));
  });
}

const raising = (...raised: readonly string[]): FailureFacts => ({ ...noFacts, raised });
const awaiting = (type: string, message: string | null = null): FailureFacts => ({
  ...noFacts,
  awaited: [{ type, message }],
});

interface Example {
  readonly about: string;
  /** Lines of the body, and what they become. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly rest?: string;
  readonly facts?: FailureFacts;
  readonly parameters?: string;
  /** The parameters after the edit, if they change. */
  readonly becomes?: string;
}

const examples: Readonly<Record<string, readonly Example[]>> = {
  'handler widened': [
    {
      about: 'the exception of the failing test',
      from: ['try:', '    return int(a)', 'except ValueError:', '    return 0'],
      to: ['try:', '    return int(a)', 'except (ValueError, OverflowError):', '    return 0'],
      facts: raising('OverflowError'),
    },
    {
      about: 'one more of several, with a name',
      from: ['try:', '    return int(a)', 'except (KeyError, ValueError) as e:', '    return e'],
      to: ['try:', '    return int(a)', 'except (KeyError, ValueError, TypeError) as e:', '    return e'],
      facts: raising('TypeError'),
    },
    {
      about: 'any exception',
      from: ['try:', '    return int(a)', 'except KeyError:', '    return 0'],
      to: ['try:', '    return int(a)', 'except Exception:', '    return 0'],
    },
  ],
  'crash guarded': [
    {
      about: 'where an item is missing',
      from: ['return a[1]'],
      to: ['if len(a) <= 1:', '    return None', 'return a[1]'],
      facts: raising('IndexError'),
    },
    {
      about: 'with an empty value of the kind that is returned elsewhere',
      from: ['if b:', "    return ' '.join(a)", 'return a[0]'],
      to: ['if b:', "    return ' '.join(a)", 'if len(a) <= 0:', "    return ''", 'return a[0]'],
      facts: raising('IndexError'),
    },
    {
      about: 'without a value if none is returned',
      from: ['b.add(a[0])'],
      to: ['if len(a) <= 0:', '    return', 'b.add(a[0])'],
      facts: raising('IndexError'),
    },
    {
      about: 'in a loop',
      from: ['for x in a:', '    b += a[x]'],
      to: ['for x in a:', '    if x not in a:', '        continue', '    b += a[x]'],
      facts: raising('KeyError'),
    },
    {
      about: 'with the awaited exception',
      from: ['return a % (b - 1)'],
      to: ['if b - 1 == 0:', "    raise Bad('no range')", 'return a % (b - 1)'],
      facts: { ...awaiting('Bad', 'no range'), raised: ['ZeroDivisionError'] },
    },
    {
      about: 'an attribute of what is missing',
      from: ['return a.size'],
      to: ['if a is None:', '    return 0', 'return a.size'],
      facts: raising('AttributeError'),
    },
    {
      about: 'a value of another type',
      from: ['return len(a)'],
      to: ['if not isinstance(a, str):', '    return None', 'return len(a)'],
      facts: raising('errors.TypeError'),
    },
  ],
  'error caught': [
    {
      about: 'turns an exception into the awaited one',
      from: ['x = a.decode()', 'return x'],
      to: ['try:', '    x = a.decode()', 'except UnicodeError:', "    raise Bad('not text')", 'return x'],
      facts: { ...awaiting('Bad', 'not text'), raised: ['UnicodeError'] },
    },
  ],
  'error changed': [
    {
      about: 'the awaited exception',
      from: ["raise RuntimeError('no')"],
      to: ["raise ValueError('no')"],
      facts: awaiting('ValueError'),
    },
  ],
  'error raised': [
    {
      about: 'for an empty value',
      from: ['return a[0]'],
      to: ['if not a:', "    raise ValueError('invalid a')", 'return a[0]'],
      facts: awaiting('ValueError'),
    },
    {
      about: 'for a value of another type, as elsewhere in the file',
      from: ['return a'],
      to: ['if not isinstance(a, Key):', "    raise Bad('no key')", 'return a'],
      rest: "def g(x):\n    if isinstance(x, Key):\n        raise Bad('no key')\n",
      facts: awaiting('Bad'),
    },
    {
      about: 'instead of a warning',
      from: ["warnings.warn('no key')", 'return a'],
      to: ["raise ValueError('no key')", 'return a'],
      facts: awaiting('ValueError'),
    },
    {
      about: 'in all other cases',
      from: ['if a:', '    b = 1', 'return b'],
      to: ['if a:', '    b = 1', 'else:', "    raise TypeError('a or b')", 'return b'],
      facts: awaiting('TypeError', 'a or b'),
    },
  ],
  'missing value tested': [
    {
      about: 'an empty text',
      from: ['if a is None or b:', '    return 1'],
      to: ['if not a or b:', '    return 1'],
    },
    { about: 'a zero', from: ['if not a:', '    return 1'], to: ['if a is None:', '    return 1'] },
    {
      about: 'any boolean',
      from: ['if a is True:', '    return 1'],
      to: ['if isinstance(a, bool):', '    return 1'],
    },
    { about: 'a key', from: ['if a.get(b):', '    return 1'], to: ['if b in a:', '    return 1'] },
  ],
  'term about value added': [
    {
      about: 'a variable',
      from: ['if a:', '    return b'],
      to: ['if a and b:', '    return b'],
      facts: noFacts,
    },
    {
      about: 'an attribute',
      from: ['if a.tags:', '    return b'],
      to: ['if a.tags is None or a.tags:', '    return b'],
    },
    {
      about: 'whether an attribute is there',
      from: ['return a if a.shown else b'],
      to: ["return a if hasattr(a, 'shown') and a.shown else b"],
    },
    {
      about: 'a type of the file',
      from: ['if a is b:', '    return b'],
      to: ['if a is b or isinstance(a, Key):', '    return b'],
      rest: 'def g(x):\n    return isinstance(x, Key)\n',
    },
  ],
  'item left out': [
    {
      about: 'of a generator',
      from: ['return sum(x for x in a)'],
      to: ['return sum(x for x in a if x is not None)'],
    },
  ],
  'missing item or attribute allowed': [
    { about: 'an item', from: ['return a[b]'], to: ['return a.get(b, [])'] },
    { about: 'an attribute', from: ['return a.size'], to: ["return getattr(a, 'size', None)"] },
    { about: 'a deleted item', from: ['del a[b]'], to: ['a.pop(b, None)'] },
  ],
  'keyword argument added': [
    { about: 'of the same name', from: ['return g(a)'], to: ['return g(a, b=b)'] },
    {
      about: 'as another call has it',
      from: ['return g(a)'],
      to: ['return g(a, strict=True)'],
      rest: 'x = g(1, strict=True)\n',
    },
    {
      about: 'an attribute of the object that others are taken from',
      from: ['return g(size=a.size)'],
      to: ['return g(size=a.size, color=a.color)'],
      rest: 'def h(x):\n    return x.color\n',
    },
    {
      about: 'an attribute',
      from: ['return g(a)'],
      to: ['return g(a, size=self.size)'],
      rest: 'self.size = 1\n',
      parameters: 'self, a',
    },
  ],
  'value normalized': [
    { about: 'before a method', from: ['return a.split(b)'], to: ['return a.strip().split(b)'] },
    { about: 'a compared text', from: ['return a == b'], to: ['return a.casefold() == b'] },
    { about: 'an argument', from: ['return b.add(a)'], to: ['return b.add(id(a))'] },
    { about: 'what is joined', from: ["return ','.join(a)"], to: ["return ','.join(map(str, a))"] },
  ],
  'alternative added': [
    { about: 'another variable', from: ['return len(a)'], to: ['return len(b or a)'] },
    { about: 'an empty value', from: ['return a.items()'], to: ['return (a or {}).items()'] },
  ],
  'default changed': [
    {
      about: 'of the last parameter',
      from: ['return a'],
      to: ['return a'],
      parameters: 'a, b',
      becomes: 'a, b=None',
    },
    {
      about: 'another value',
      from: ['return a'],
      to: ['return a'],
      parameters: 'a: int, *, b: bool = False',
      becomes: 'a: int, *, b: bool = True',
    },
  ],
  'receiver changed': [
    { about: 'a parameter', from: ['return self.a'], to: ['return a'], parameters: 'self, a' },
    {
      about: 'an attribute',
      from: ['return name'],
      to: ['return self.name'],
      rest: 'self.name = 1\n',
      parameters: 'self, name',
    },
  ],
  'attribute dropped': [{ about: 'of an argument', from: ['return g(a.size)'], to: ['return g(a)'] }],
  'type added': [
    {
      about: 'of the file',
      from: ['return isinstance(a, list)'],
      to: ['return isinstance(a, (list, Key))'],
      rest: 'def g(x):\n    return isinstance(x, Key)\n',
    },
    {
      about: 'to several',
      from: ['return isinstance(a, (list, tuple))'],
      to: ['return isinstance(a, (list, tuple, set))'],
    },
  ],
  'tuple formatted': [{ about: 'a value', from: ["return 'no %s' % a"], to: ["return 'no %s' % (a,)"] }],
  'statement moved farther': [
    {
      about: 'over two others',
      from: ['a = 1', 'b = 2', 'c = a', 'return c'],
      to: ['c = a', 'a = 1', 'b = 2', 'return c'],
    },
    {
      about: 'out of a block, before it',
      from: ['if a:', '    b.add(a)', '    b.sort()', 'return b'],
      to: ['b.add(a)', 'if a:', '    b.sort()', 'return b'],
    },
    {
      about: 'the last one of a block',
      from: ['if a:', '    b.add(a)', '    b.sort()', 'return b'],
      to: ['b.sort()', 'if a:', '    b.add(a)', 'return b'],
    },
  ],
  'method called': [
    {
      about: 'that takes no arguments',
      from: ['raise Exit(a)'],
      to: ['self.close()', 'raise Exit(a)'],
      rest: 'class A:\n    def close(self):\n        pass\n',
      parameters: 'self, a',
    },
  ],
  'statement made conditional': [
    { about: 'if a value is there', from: ['a.add(b)'], to: ['if b is not None:', '    a.add(b)'] },
  ],
  'result made conditional': [
    { about: 'an empty list', from: ['return max(a)'], to: ['return max(a) if a else 0'] },
  ],
  'pattern changed': [
    { about: 'a quantifier', from: ["return re.split(r' +', a)"], to: ["return re.split(r' *', a)"] },
    {
      about: 'a class of a plain text',
      from: ["return re.sub('[a-z]', a, b)"],
      to: ["return re.sub('[a-z_]', a, b)"],
    },
  ],
  'edit repeated': [
    {
      about: 'a conversion',
      from: ['if seen(a):', '    return seen(a)'],
      to: ['if seen(id(a)):', '    return seen(id(a))'],
    },
  ],
  'value prepared': [
    { about: 'a default', from: ['return len(a)'], to: ['if a is None:', '    a = []', 'return len(a)'] },
    { about: 'a text', from: ['return len(a)'], to: ['a = a.rstrip()', 'return len(a)'] },
  ],
  'type guarded': [
    {
      about: 'another type',
      from: ['return a + b'],
      to: ['if isinstance(a, str):', '    return a', 'return a + b'],
    },
  ],
};

function program({ parameters = 'a, b' }: Pick<Example, 'parameters'>, lines: readonly string[]): string {
  return `def f(${parameters}):\n${lines.map(line => `    ${line}\n`).join('')}`;
}

describe.for(Object.entries(examples))('%s', ([name, all]) => {
  test.for(all)('$about', example => {
    const { from, to, rest = '', facts = noFacts, parameters = 'a, b' } = example;
    const programs = made(name, program(example, from), rest, facts);
    expect(programs).toContain(program({ ...example, parameters: example.becomes ?? parameters }, to));
    expect(programs.filter(code => !parser.parses(code))).toEqual([]);
  });
});

test('each operator of Python alone has an example', () => {
  const own = operators.filter(({ languages = [] }) => languages.length === 1 && languages[0] === 'python');
  expect(Object.keys(examples).toSorted()).toEqual(own.map(({ name }) => name).toSorted());
});

test.each([
  ['error raised', 'return a'],
  ['receiver changed', 'return a.b'],
  ['attribute dropped', 'return a.b()'],
  ['type added', 'return isinstance(a)'],
  ['tuple formatted', "return 'no %s' % (a, b)"],
  ['statement moved farther', 'return a'],
  ['error changed', 'raise b'],
  ['error caught', 'return int(a)'],
  ['keyword argument added', 'return g(a, a=a, b=b)'],
  ['method called', 'return a'],
  ['missing item or attribute allowed', 'a[b] = a.pop()'],
  ['item left out', 'return [x for x in a if x]'],
  ['alternative added', 'return 1'],
  ['type guarded', 'pass'],
  ['default changed', 'pass'],
  ['pattern changed', "return a.split(' +')"],
])('%s: nothing to change in `%s`', (name, line) => {
  const parameters = line === 'pass' ? '' : 'a, b';
  expect(made(name, `def f(${parameters}):\n    ${line}\n`, '', noFacts)).toEqual([]);
});

test('a handler that is there is widened, and no other one is put inside', () => {
  const code = 'def f(a):\n    try:\n        return int(a)\n    except KeyError:\n        return g(a)\n';
  const facts = raising('ValueError');
  expect(made('handler widened', code, '', facts)[0]).toContain('except (KeyError, ValueError):');
  const awaited = { ...awaiting('Bad'), raised: ['ValueError'] };
  const nested = made('error caught', code, '', awaited).map(text => /^ {12}return (\w+)/m.exec(text)?.[1]);
  expect(nested).toContain('g');
  expect(nested).not.toContain('int');
});

test('a term about another value follows a condition, one about a value of it guards it', () => {
  const code = 'def f(a, b):\n    if a.size > 1:\n        return b\n';
  const lines = made('term about value added', code, '', noFacts).map(text => text.split('\n')[1]?.trim());
  const before = (one: string, other: string) => {
    expect(lines).toContain(other);
    expect(lines.indexOf(one)).toBeGreaterThan(-1);
    expect(lines.indexOf(one)).toBeLessThan(lines.indexOf(other));
  };
  before('if a and a.size > 1:', 'if a.size > 1 and a:');
  before('if a.size > 1 and b:', 'if b and a.size > 1:');
  before("if hasattr(a, 'size') and a.size > 1:", "if a.size > 1 and hasattr(a, 'size'):");
  const missing = made('term about value added', code, '', raising('AttributeError'));
  expect(missing[0]).toContain("if hasattr(a, 'size') and a.size > 1:");
});

test('a condition does not get itself or its opposite as a term', () => {
  const code = 'def f(a, b):\n    if a:\n        return b\n';
  const programs = made('term about value added', code, '', noFacts);
  expect(programs.filter(text => /if (?:not )?a (?:and|or) (?:not )?a:/.test(text))).toEqual([]);
});

test('a term that contradicts a part of the condition is not required with it', () => {
  const code = 'def f(a, b):\n    if a and b:\n        return b\n';
  const programs = made('term about value added', code, '', noFacts);
  expect(programs.join('')).toContain('if not a or (a and b):');
  expect(programs.join('')).not.toMatch(/not a and \(a and b\)|\(a and b\) and not a/);
});

test('what a function takes as further arguments is not passed on by name', () => {
  const code = 'def f(*a, b):\n    g(1)\n';
  expect(made('keyword argument added', code, '', noFacts)).toEqual(['def f(*a, b):\n    g(1, b=b)\n']);
});
