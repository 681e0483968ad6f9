import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createFixProgress } from '../../../lib/cli/terminal/fix-progress.ts';
import { fixText, questionLines } from '../../../lib/cli/terminal/fix-text.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import type { FixReport } from '../../../lib/fix/report.ts';
import { fakeTime } from '../../support/fake-time.ts';

const colors = pc.createColors(true);
const counts = { passed: 1, failed: 1, skipped: 0 };
const report: FixReport = {
  outcome: 'nothing-to-repair',
  project: '/p',
  runner: 'pytest',
  isolation: 'bubblewrap',
  judge: null,
  question: null,
  alternatives: [],
  mutants: null,
  before: counts,
  after: counts,
  flaky: [],
  elsewhere: [],
  unsure: null,
  failing: [],
  stillFailing: [],
  suspects: [],
  repairs: [],
  tried: 0,
  model: null,
  best: null,
  timeUp: false,
  seconds: 1,
  notes: ['A note with \u001b[2J in it.'],
  changes: [],
};

test('the result of a repair has colours of its own and none from notes', () => {
  expect(fixText(report, colors, '')).toBe(
    `${colors.green('Nothing to repair: 1 test passes')}\nA note with \\x1b[2J in it.\n`,
  );
});

test('failing tests are shown in colours, their names and messages without control characters', () => {
  const written: string[] = [];
  const terminal = { write: (text: string) => written.push(text), width: () => null, colors };
  createFixProgress(terminal, { quiet: false, verbose: false }).onEvent({
    kind: 'tests',
    before: counts,
    failing: [{ id: 'test_\u0007a', message: 'expected 2\nand more' }],
  });
  expect(written.join('')).toBe(
    `1 of 2 tests fail\n  ${colors.red('✗')} test_\\x07a  ${colors.dim('expected 2')}\n`,
  );
});

const plain = pc.createColors(false);

test('a removed line of another repair may begin as the head of a diff', () => {
  const repairs = [{ kind: 'constant', file: 'a.js', function: 'A', line: 1, origin: 'edit' }] as const;
  const alternatives = ['--- a/a.js\n+++ b/a.js\n@@ -1,2 +1,2 @@\n a = [\n---i,\n+++i,\n'];
  expect(fixText({ ...report, outcome: 'repaired', notes: [], repairs, alternatives }, plain, '')).toContain(
    '    - --i,\n    + ++i,\n',
  );
});

test('the answers to a question count the repairs that it names', () => {
  const answer = (does: string, repairs: number) => ({ does, repairs, diff: '', test: null });
  const question = {
    ...{ file: 'a.py', function: 'f', call: 'f([])', behaviours: 2, chosen: null, repairs: 2 },
    answers: [answer('returns 0', 1), answer('raises IndexError', 1)],
  };
  expect(questionLines(question)).toEqual([
    '',
    'Your tests allow 2 different repairs of f. For f([]):',
    '  1  this one returns 0',
    '  2  another raises IndexError',
    'Add the behaviour that you mean as a test.',
  ]);
  const many = { ...question, repairs: 6, behaviours: 3 };
  const answers = [answer('returns 0', 2), answer('raises IndexError', 4)];
  expect(questionLines({ ...many, answers }).slice(1, 4)).toEqual([
    'Your tests allow 6 repairs of f, which behave in 3 ways. For f([]):',
    '  1  this one returns 0 (2 of the 6)',
    '  2  another raises IndexError (4 of the 6)',
  ]);
});

test('other repairs that pass are shown by their lines, the likeliest two', () => {
  const repairs = [
    { kind: 'function', file: 'box.py', function: 'Box.size', line: 2, origin: 'edit' },
  ] as const;
  const diffTo = (line: string) =>
    `--- a/box.py\n+++ b/box.py\n@@ -1,3 +1,3 @@\n class Box:\n-        return n + 1\n+        ${line}\n`;
  const alternatives = ['return n', 'return 2', 'return 3'].map(diffTo);
  const text = fixText({ ...report, outcome: 'repaired', notes: [], repairs, alternatives }, plain, '');
  expect(text).toBe(`Repaired in 1.0 s

Your tests allow 3 other repairs of Box.size:
    - return n + 1
    + return n

    - return n + 1
    + return 2

and 1 more (--json has them all).
Review the diff carefully: your tests say little about the changed lines.
`);
});

test('a model that was never reached is named at the end, with the reason', () => {
  const model = { requests: 1, promptTokens: 0, completionTokens: 0, cost: null, failure: null };
  const text = (failure: string | null) => fixText({ ...report, model: { ...model, failure } }, plain, '');
  expect(text('http://a/v1 cannot be reached: the connection is refused.')).toMatch(
    /\nmodel {10}did not answer: http:\/\/a\/v1 cannot be reached: the connection is refused\.\n$/,
  );
  expect(text(null)).toMatch(/\nmodel {10}1 request, 0 prompt and 0 completion tokens\n$/);
});

test('the last line says what a model was asked, and what it cost where prices are known', () => {
  const model = { requests: 2, promptTokens: 9, completionTokens: 8, cost: 0.25, failure: null };
  expect(fixText({ ...report, model }, plain, '')).toMatch(
    /\nmodel {10}2 requests, 9 prompt and 8 completion tokens, cost 0\.25\n$/,
  );
});

test('how a pass was judged does not stand beside a repair, which may still not be what was meant', () => {
  const changes = [{ file: readSource('a.py', Buffer.from('a')), after: Buffer.from('b') }];
  const text = fixText({ ...report, outcome: 'repaired', judge: 'proven', changes }, plain, '');
  expect(text).toContain('\ntests passing  1 → 1 of 2 (pytest, bubblewrap)\n');
});

test('tests that fail with the changes too are listed', () => {
  const changes = [{ file: readSource('a.py', Buffer.from('a')), after: Buffer.from('b') }];
  const stillFailing = [
    { id: 'test_a', message: 'assert 1 == 2\nmore' },
    ...Array.from({ length: 11 }, (_, at) => ({ id: `test_${at}`, message: '' })),
  ];
  const text = (changed: Partial<FixReport>) =>
    fixText({ ...report, notes: [], changes, stillFailing, ...changed }, plain, '');
  expect(text({ outcome: 'partly' })).toMatch(
    /\n12 tests still fail:\n {2}test_a {2}assert 1 == 2\n {2}test_0\n(?:.*\n){8} {2}and 2 more\n$/,
  );
  expect(text({ outcome: 'repaired', stillFailing: stillFailing.slice(0, 1) })).toContain(
    '\n1 other test still fails, without the named function:\n',
  );
});

test('a repair that fails says what was learned: suspicious lines, and the test to look at', () => {
  const suspect = { kind: 'function', file: 'shop.py', function: 'price', line: 3, suspicion: 0.5 } as const;
  const failing = [
    { id: 'test_a', message: 'assert 1 == 2', isTelling: false },
    {
      ...{ id: 'test_b', message: 'assert 3 == 4', isTelling: true, expected: '4', actual: '3' },
      place: { file: 'test_shop.py', line: 8, source: 'assert price() == 4\u001b' },
    },
  ];
  const suspects = [{ ...suspect, lines: [{ line: 5, source: 'return 3' }] }];
  const text = (changed: Partial<FixReport>) =>
    fixText(
      { ...report, notes: [], outcome: 'not-repaired', suspects, failing, tried: 7, ...changed },
      plain,
      '',
    );
  expect(text({})).toBe(`Not repaired in 1.0 s
Tried 7 candidates for price on 2 failing tests.
None made a failing test pass without breaking another.
Most suspicious:
  0.50  price  shop.py:3
        line 5: return 3
Look first at the test test_b (test_shop.py:8):
  assert price() == 4\\x1b
  expected 4, got 3
A larger model may help (--model qwen2.5-coder-1.5b), or a named function (hefix fix FILE::FUNCTION).
`);
  expect(text({ failing: [{ id: 'test_a', message: 'KeyError: 1\nmore', isTelling: true }] })).toContain(
    'Look first at the test test_a:\n  KeyError: 1\n',
  );
});

test('what may help fits the model: its place, its failure, and what ran out', () => {
  const failing = [{ id: 'test_a', message: '', isTelling: false }];
  const suspects = [
    { kind: 'function', file: 'a.py', function: 'f', line: 1, suspicion: 1, lines: [] } as const,
  ];
  const notRepaired = { ...report, notes: [], outcome: 'not-repaired', failing, suspects } as const;
  const model = { requests: 6, promptTokens: 9, completionTokens: 9, cost: null, failure: null };
  const help = (changed: Partial<FixReport>, isServed: boolean) =>
    fixText({ ...notRepaired, ...changed }, plain, '', isServed)
      .split('\n')
      .find(line => line.includes('may help'));
  const named = 'or a named function (hefix fix FILE::FUNCTION).';
  expect(help({ model }, true)).toBe(
    `More answers may help (--max-requests 12 --iters 11), another model (--model NAME), ${named}`,
  );
  expect(help({ model, timeUp: true }, true)).toBe(
    'More time may help (--time 600), or another model (--model NAME).',
  );
  expect(help({ model: { ...model, failure: 'No answer.' }, timeUp: true }, true)).toBe(
    `An answer of the model may help, ${named}`,
  );
  const option = '(--model qwen2.5-coder-1.5b)';
  expect(help({ model }, false)).toBe(`A larger model may help ${option}, ${named}`);
  expect(help({ timeUp: true }, false)).toBe(`More time may help (--time 300), or a larger model ${option}.`);
  expect(help({ model, timeUp: true }, false)).toBe(
    `More time may help (--time 600), or a larger model ${option}.`,
  );
});

test('what is done is told every few seconds: in a pipe in a line, on a terminal in one that is redrawn', () => {
  for (const width of [null, 60]) {
    const time = fakeTime();
    const written: string[] = [];
    const terminal = { write: (text: string) => written.push(text), width: () => width, colors: plain };
    const clock = { now: () => time.now().getTime(), startTimer: time.startTimer };
    const progress = createFixProgress(terminal, { quiet: false, verbose: false }, clock);
    const best = { function: 'price', passed: 1, of: 3 };
    progress.onEvent({ kind: 'state', state: 'locate', about: '' });
    time.advance(5000);
    progress.onEvent({ kind: 'step', step: 'screen', function: 'price', left: 300 });
    for (let tried = 1; tried <= 40; tried++)
      progress.onEvent({
        kind: 'tried',
        function: 'price',
        location: 'shop.py:1',
        tried,
        left: 300 - tried,
        best,
      });
    if (width === null) expect(written).toEqual(['0:05  ranking the suspects\n']);
    time.advance(7000);
    const last = '0:12  price: 40 candidates tried, 260 left, the best passes 1 of 3 failing tests';
    expect(written.at(-1)).toBe(width === null ? `${last}\n` : last.slice(0, 59));
    progress.onEvent({
      kind: 'tried',
      function: 'price',
      location: 'shop.py:1',
      tried: 300,
      left: 0,
      best: null,
    });
    time.advance(5000);
    expect(written.at(-1)).toBe(
      `0:17  price: 300 candidates tried, waiting for the model${width === null ? '\n' : ''}`,
    );
    progress.clear();
    const count = written.length;
    expect(time.advance(60_000)).toBe(0);
    expect(written.length).toBe(count);
  }
});
