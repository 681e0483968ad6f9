import { beforeAll, expect, test } from 'vitest';
import { fileNames } from '../../../lib/repair/operators/facts.ts';
import { viewOf } from '../../../lib/repair/operators/function-view.ts';
import { regexVariants } from '../../../lib/repair/operators/general/regexes.ts';
import { projectOperators } from '../../../lib/repair/operators/operators.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await openParser('js');
});

const { operators } = await projectOperators('js');
const own = operators.filter(({ languages }) => languages?.length === 1 && languages[0] === 'js');

/** A function of these lines. */
function js(...lines: readonly string[]): string {
  return `function f(a, b) {\n${lines.map(line => `  ${line}\n`).join('')}}\n`;
}

/** The programs that an operator makes of `f`. */
function made(name: string, code: string): string[] {
  const operator = own.find(each => each.name === name);
  if (!operator) throw new Error(`There is no operator ${name}.`);
  return parser.read(code, root => {
    const view = viewOf(root, code, 'f', 'js', fileNames(code, 1));
    const edits = view ? operator.edits(view) : [];
    return edits.map(({ start, end, text }) => code.slice(0, start) + text + code.slice(end));
  });
}

const examples: readonly (readonly [operator: string, about: string, buggy: string, right: string])[] = [
  [
    'presence tested otherwise',
    'a value that is no function',
    js('if (a && a.run) return a.run();'),
    js("if (a && typeof a.run === 'function') return a.run();"),
  ],
  ['presence tested otherwise', 'zero', js('if (a.max) b = a.max;'), js('if (a.max != null) b = a.max;')],
  [
    'presence tested otherwise',
    'a missing value',
    js('return a === undefined ? b : a;'),
    js('return a == null ? b : a;'),
  ],
  ['presence tested otherwise', 'an absent value', js('if (!a) return b;'), js('if (a == null) return b;')],
  [
    'presence tested otherwise',
    'an object that is no list',
    js("return typeof a === 'object';"),
    js("return typeof a === 'object' && !Array.isArray(a);"),
  ],
  [
    'presence tested otherwise',
    'another type',
    js("if (typeof a === 'object') b = 1;"),
    js("if (typeof a === 'function') b = 1;"),
  ],
  [
    'own property asked',
    'an object without a prototype',
    js('return a.hasOwnProperty(b);'),
    js('return Object.prototype.hasOwnProperty.call(a, b);'),
  ],
  [
    'own property asked',
    'inherited names',
    js('if (a[b]) return 1;'),
    js('if (Object.prototype.hasOwnProperty.call(a, b)) return 1;'),
  ],
  [
    'own property asked',
    'inherited names in a loop',
    js('for (const key in a) {', '  b(key);', '}'),
    js(
      'for (const key in a) { if (!Object.prototype.hasOwnProperty.call(a, key)) continue;',
      '  b(key);',
      '}',
    ),
  ],
  ['chain made optional', 'a member', js('return a.length;'), js('return a?.length;')],
  ['chain made optional', 'an item', js('return a[b];'), js('return a?.[b];')],
  ['chain made optional', 'a method', js('return a.run(b);'), js('return a.run?.(b);')],
  [
    'regular expression changed',
    'another character',
    js('return a.replace(/[+?]/g, b);'),
    js('return a.replace(/[+?\\\\]/g, b);'),
  ],
  [
    'regular expression changed',
    'all matches',
    js("return a.replace(/x/, '');"),
    js("return a.replace(/x/g, '');"),
  ],
  [
    'nearby term added',
    'a size',
    js('if (/x/.test(a)) return b;'),
    js('if (a.length > 1 && /x/.test(a)) return b;'),
  ],
  [
    'nearby term added',
    'a member that stands nearby',
    js('const c = b.strict;', 'if (a > 1) return c;'),
    js('const c = b.strict;', 'if (b.strict && a > 1) return c;'),
  ],
  [
    'nearby term added',
    'a test in a part of a condition',
    js('if (a > 1 && (b === 0 || b > 2)) return a;'),
    js('if (a > 1 && (b === 0 || a > 1 || b > 2)) return a;'),
  ],
  [
    'nearby term added',
    'a term that needs parentheses',
    js('if (a.x && a.y) return b;'),
    js('if ((a.x || b) && a.y) return b;'),
  ],
  [
    'same edit repeated',
    'two lists',
    js('const c = [a.x, a.y].sort();', 'const d = [b.x, b.y].sort();', 'return c < d;'),
    js(
      'const c = [a.x, a.y].sort((a, b) => a - b);',
      'const d = [b.x, b.y].sort((a, b) => a - b);',
      'return c < d;',
    ),
  ],
  [
    'collection changed',
    'a list that is no array',
    js('return a.map(b);'),
    js('return Array.from(a).map(b);'),
  ],
  ['collection changed', 'a list as one item', js('return a.concat(b);'), js('return a.concat([b]);')],
  ['collection changed', 'several items', js('a.push(b);'), js('a.push(...b);')],
  ['collection changed', 'one or several items', js('a.push(b);'), js('a = a.concat(b);')],
  [
    'collection changed',
    'keys like __proto__',
    js('const c = {};', 'return c;'),
    js('const c = Object.create(null);', 'return c;'),
  ],
  ['collection changed', 'empty items', js('return a.map(b);'), js('return a.map(b).filter(Boolean);')],
  ['default added', 'a parameter', js('return a.x;'), js('a = a || {};', 'return a.x;')],
  [
    'default added',
    'a value',
    js('const c = a.list;', 'return c;'),
    js('const c = a.list || [];', 'return c;'),
  ],
  ['default added', 'an item', js('a[b] += 1;'), js("if (!a[b]) a[b] = '';", 'a[b] += 1;')],
  ['nearby argument added', 'the object', js('return b.equals(a);'), js('return b.equals(this, a);')],
  [
    'nearby argument added',
    'options',
    js('const c = b.x;', 'return g(a);'),
    js('const c = b.x;', 'return g(a, b.x);'),
  ],
  ['text normalized', 'spaces', js("return a.split(',');"), js("return a.trim().split(',');")],
  [
    'text normalized',
    'a value before it is used',
    js('const c = b.trim();', 'g(a.name);'),
    js('const c = b.trim();', 'a.name = a.name.trim();', 'g(a.name);'),
  ],
  [
    'early return added',
    'two equal parameters',
    js('g(a, b);', 'return this;'),
    js('if (a === b) return this;', 'g(a, b);', 'return this;'),
  ],
  [
    'error caught',
    'a text that cannot be read',
    js('return JSON.parse(a);'),
    js('try { return JSON.parse(a); } catch (error) { return a; }'),
  ],
  ['statement guarded', 'a missing value', js('a.add(b);'), js('if (b) a.add(b);')],
  [
    'helper looks up',
    'a lookup by a helper',
    js('if (a[b]) return has(b);'),
    js('if (has(b, a)) return has(b);'),
  ],
];

test.for(examples)('%s: %s', ([name, , buggy, right]) => {
  const programs = made(name, buggy).filter(program => parser.parses(program));
  expect(programs.map(program => parser.fingerprint(program))).toContain(parser.fingerprint(right));
});

test('each operator of JavaScript has an example', () => {
  const named = new Set(examples.map(([name]) => name));
  expect(own.map(({ name }) => name).toSorted()).toEqual([...named].toSorted());
});

test.for<[operator: string, about: string, code: string]>([
  ['presence tested otherwise', 'comparisons', js('if (a > 1) return b;')],
  ['own property asked', 'lists', js('for (const x of a) b(x);')],
  ['chain made optional', 'targets of assignments', js('a.x.y = 1;', 'a[0]++;', 'this.z;')],
  ['regular expression changed', 'texts', js("return a === '/x/';")],
  ['same edit repeated', 'what stands in one place', js('return a.length > b.length + 1;')],
  ['error caught', 'calls that do not throw', js('return Math.max(a, b);')],
  ['helper looks up', 'targets of assignments', js('a[b] = g();')],
  ['statement guarded', 'what declares a variable', js('const c = a;', 'return c;')],
])('%s: not %s', ([name, , code]) => {
  expect(made(name, code)).toEqual([]);
});

test('names of other blocks and functions are not used', () => {
  const code = js(
    'if (a) {',
    '  const inner = 1;',
    '  g(inner);',
    '}',
    'a.map(function (each) {',
    '  g(each);',
    '});',
    'if (b) return 1;',
  );
  const last = own
    .flatMap(({ name }) => made(name, code))
    .flatMap(program => program.split('\n').filter(line => /^ {2}\S.*return 1/.test(line)));
  expect(last.length).toBeGreaterThan(20);
  expect(last.filter(line => /inner|each/.test(line))).toEqual([]);
  const within = js('return a.map(function (each) { if (b) return 1; });');
  expect(made('nearby term added', within).some(program => program.includes('if (each && b)'))).toBe(true);
});

test('an inserted statement is indented as those around it', () => {
  const code = 'function f(a) {\n\treturn a.x;\n}\n';
  expect(made('default added', code)).toContain('function f(a) {\n\ta = a || {};\n\treturn a.x;\n}\n');
});

test('edits of a regular expression keep it valid', () => {
  const patterns = [
    '^(?:a|b)+$',
    '[\\w.-]+@\\d{2,}',
    '\\u00e9[^\\]/]*?x{3}',
    'a.b\\.c(?=d)',
    '^[1,4,5]{1}-\\s?$',
  ];
  for (const pattern of patterns) {
    const variants = regexVariants(pattern);
    expect(variants).not.toContain(pattern);
    expect(variants.length).toBeGreaterThan(3);
    const broken = variants.filter(text => {
      try {
        return !new RegExp(text);
      } catch {
        return true;
      }
    });
    expect(broken.length).toBeLessThan(variants.length / 4);
  }
  expect(regexVariants('^[1,4,5]x$')).toContain('^[145]x$');
  expect(regexVariants('(0?\\.\\d\\d?)')).toContain('(0?\\.\\d+\\d?)');
});
