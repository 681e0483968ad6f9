import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { readModelAnswer } from '../../../lib/fix/write/answer-edits.ts';
import { blocksGrammar, functionGrammar } from '../../../lib/fix/write/answer-grammar.ts';
import { applyEdits } from '../../../lib/fix/write/apply-edits.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const CODE = `RATE = 0.1
TITLE = "a \\"shop\\""


class Basket:
    @property
    def total(self):
        """Adds
        =======
        """
        return sum(self.items) * RATE

    def count(self):
        return len(self.items)


class Other:
    def count(self):
        return 0
`;
const parser = await openParser('python');
const file = readSource('shop/money.py', Buffer.from(CODE));
const long = readSource('shop/long.py', Buffer.from(`${CODE}${'# more\n'.repeat(300)}`));
const source = (path: string) => (path === long.path ? long : file);
const functionNamed = (name: string, of = file) => {
  const found = functionsIn(parser, of).find(({ qualified }) => qualified === name);
  if (!found) throw new Error(name);
  return found;
};
const suspect = (name: string, of = file) => ({
  function: functionNamed(name, of),
  suspicion: 1,
  lines: new Map(),
});
const project = {
  ...{ parser, language: 'python' as const, sources: [file.path], source },
  ...{ has: (path: string) => path === file.path, isTest: () => false },
};
const applied = (answer: string, meant = functionNamed('Basket.count')) =>
  applyEdits(project as never, readModelAnswer(answer).edits, meant);

/** A grammar without recursion as a pattern. */
function patternOf(grammar: string): RegExp {
  const rules = new Map(
    grammar
      .trim()
      .split('\n')
      .map(line => line.split(/ ::= (.*)/s).slice(0, 2) as [string, string]),
  );
  const expanded = (name: string): string =>
    (rules.get(name) ?? '').replace(
      /"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-z][a-z\d]*)|\s+/g,
      (_, literal?: string, set?: string, rule?: string) => {
        if (literal !== undefined) return `(?:${escaped(JSON.parse(`"${literal}"`))})`;
        if (set !== undefined) return set;
        return rule === undefined ? '' : `(?:${expanded(rule)})`;
      },
    );
  return new RegExp(`^(?:${expanded('root')})$`);
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

const SAID = 'The cause is this.\n\n';
const block = (search: string, replace: string, path = 'shop/money.py', said = SAID) =>
  `${said}${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

test('blocks follow the grammar only if they apply', () => {
  const pattern = patternOf(blocksGrammar([suspect('Basket.total')], source) ?? '');
  for (const [search, replace] of [
    ['RATE = 0.1', 'RATE = 0.2'],
    ['TITLE = "a \\"shop\\""', ''],
    ['RATE = 0.1\nTITLE = "a \\"shop\\""', 'RATE = 0.2\n\nTITLE = None'],
    ['        return sum(self.items) * RATE', '        return sum(self.items) * (1 + RATE)'],
  ] as const) {
    const answer = block(search, replace);
    expect(answer).toMatch(pattern);
    expect(applied(answer)).toMatchObject({ problems: [], files: { size: 1 } });
  }
  expect(
    block('RATE = 0.1', 'RATE = 0.2') +
      block('    def count(self):', '    def count(self, of=None):', file.path, '\n'),
  ).toMatch(pattern);
  for (const answer of [
    block('RATE = 0.3', 'RATE = 0.2'),
    block('RATE = 0.1', 'RATE = 0.2', 'money.py'),
    block('RATE = 0.1\nclass Basket:', 'x'),
    block('        """Adds\n        =======', 'x'),
    block('\nclass Basket:', 'class Basket:'),
    'It is the rate.\n',
    block('RATE = 0.1', 'x\n>>>>>>> REPLACE'),
    block('RATE = 0.1', 'RATE = 0.2', file.path, 'It is the rate.\n'.repeat(4)),
    block('RATE = 0.1', 'RATE = 0.2', file.path, `${'It is the rate. '.repeat(40)}\n`),
  ])
    expect(answer).not.toMatch(pattern);
});

test('of a long file, blocks replace lines of the suspicious functions', () => {
  const pattern = patternOf(blocksGrammar([suspect('Other.count', long)], source) ?? '');
  expect(block('        return 0', '        return 1', long.path)).toMatch(pattern);
  expect(block('RATE = 0.1', 'RATE = 0.2', long.path)).not.toMatch(pattern);
  expect(blocksGrammar([], source)).toBeUndefined();
});

test('a whole function keeps its name and place, also if another has the name', () => {
  const pattern = patternOf(functionGrammar(functionNamed('Basket.count'), 'python'));
  const whole = (code: string) => `It counts wrong.\n\nshop/money.py\n\`\`\`python\n${code}\n\`\`\``;
  const answer = whole('    def count(self, of=None):\n\n        return self.items.count(of)');
  expect(answer).toMatch(pattern);
  const { files, problems } = applied(answer);
  expect(problems).toEqual([]);
  expect(files.get(file.path)?.text).toBe(
    CODE.replace(
      'def count(self):\n        return len(self.items)',
      'def count(self, of=None):\n\n        return self.items.count(of)',
    ),
  );
  expect(whole('    def size(self):\n        return 1')).not.toMatch(pattern);
  const decorated = patternOf(functionGrammar(functionNamed('Basket.total'), 'python'));
  expect(whole('    @property\n    def total(self):\n        return 1')).toMatch(decorated);
  expect(whole('    def total(self):\n        return 1')).not.toMatch(decorated);
});

test('the only function of a file does not replace its other lines', () => {
  const only = readSource('shop/money.py', Buffer.from('RATE = 2\n\n\ndef tax(x):\n    return x\n'));
  const answer = 'shop/money.py\n```python\ndef tax(x):\n    return x * RATE\n```\n';
  const { files } = applyEdits({ ...project, source: () => only } as never, readModelAnswer(answer).edits);
  expect(files.get(only.path)?.text).toBe('RATE = 2\n\n\ndef tax(x):\n    return x * RATE\n');
});
