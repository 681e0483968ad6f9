import { expect, test } from 'vitest';
import { applyBugMarks, parseExamples, parseKind } from '../../dataset/build/bug-marks.ts';

test.each([
  ['another line', ['a', '# bug: b', 'c'], ['a', 'c'], ['b', 'c']],
  ['an indented line', ['  a', '  # bug: b'], ['  a'], ['  b']],
  ['a line more', ['a', '  # bug adds: b', '  # bug adds:   c'], ['a'], ['a', '  b', '    c']],
  ['a line less', ['a', 'b', '# bug drops 1 line', 'c'], ['a', 'b', 'c'], ['a', 'c']],
  ['two lines less', ['a', 'b', '# bug drops 2 lines', 'c'], ['a', 'b', 'c'], ['c']],
  ['other comments stay', ['a # bug', '# bugs: b'], ['a # bug', '# bugs: b'], ['a # bug', '# bugs: b']],
])('the buggy program has %s', (_, lines, canonical, buggy) => {
  expect(applyBugMarks(lines, '#')).toEqual({ canonical, buggy });
});

test('the first line names the kind of bug', () => {
  expect(parseKind('// value misuse, infinite loop', '//')).toEqual({
    bugType: 'value misuse',
    symptoms: 'infinite loop',
  });
  expect(() => parseKind('def f():', '#')).toThrow('def f():');
});

test('examples are calls with their values below', () => {
  expect(parseExamples('Adds.\n>>> add(1, 2)\n3\n  >>> add(0, 0)\n  0')).toEqual([
    { call: 'add(1, 2)', value: '3' },
    { call: 'add(0, 0)', value: '0' },
  ]);
});
