import { expect, test } from 'vitest';
import type { Input } from '../../../lib/repair/behaviour/generate.ts';
import type { Outcome } from '../../../lib/repair/behaviour/outcome.ts';
import { behavioursOf, questionAbout } from '../../../lib/repair/behaviour/question.ts';
import type { Value } from '../../../lib/repair/behaviour/value.ts';

const returns = (value: Value): Outcome => ({ value, steps: 1 });
const raises = (raised: string): Outcome => ({ raised, steps: 1 });
const inputs: readonly Input[] = [[['list', [1, 2, 3]]], [['list', []]], [['list', [4]]]];

test('programs that do the same are one behaviour', () => {
  const outcomes = [
    [returns(1), returns(0), returns(4)],
    [returns(1), raises('IndexError'), returns(4)],
    [returns(1), returns(0), returns(4)],
  ];
  expect(behavioursOf({ inputs, outcomes }, 'python')).toEqual([[0, 2], [1]]);
});

test('a program that was not called with an input does not differ there', () => {
  const outcomes = [[returns(1), returns(0)], [returns(1)]];
  expect(behavioursOf({ inputs, outcomes }, 'python')).toEqual([[0, 1]]);
  expect(questionAbout({ inputs, outcomes }, 'median', 'python')).toBeNull();
});

test('asks with the input on which most differ, and names what each does', () => {
  const outcomes = [
    [returns(1), returns(0), returns(4)],
    [returns(1), returns(null), returns(5)],
    [returns(1), raises('IndexError'), returns(5)],
    [returns(1), raises('IndexError'), returns(4)],
  ];
  expect(questionAbout({ inputs, outcomes }, 'median', 'python')).toMatchObject({
    call: 'median([])',
    behaviours: 4,
    answers: [
      { does: 'returns 0', programs: [0] },
      { does: 'raises IndexError', programs: [2, 3] },
      { does: 'returns None', programs: [1] },
    ],
  });
});

test('a question takes an input on which the first program returns, then the shortest', () => {
  const outcomes = [
    [returns(1), raises('IndexError'), returns(4)],
    [returns(2), returns(0), returns(5)],
  ];
  expect(questionAbout({ inputs, outcomes }, 'median', 'js')?.call).toBe('median([4])');
});

test('asks nothing about values that cannot be shown, or where a call ended the process', () => {
  const opaque = [
    [returns(['other', 'Box']), raises('ended the process')],
    [returns(['other', 'Bag']), returns(1)],
  ];
  expect(questionAbout({ inputs, outcomes: opaque }, 'median', 'python')).toBeNull();
  const endless = [[returns(1)], [raises('did not end')]];
  expect(questionAbout({ inputs, outcomes: endless }, 'median', 'python')?.answers[1]?.does).toBe(
    'does not end',
  );
});

test('asks with characters of the tests rather than with others, even if fewer differ there', () => {
  const odd: readonly Input[] = [['/\u4a28'], ['a b'], ['tab\there']];
  const outcomes = [
    [returns(1), returns(1), returns(1)],
    [returns(2), returns(2), returns(2)],
    [returns(3), returns(2), returns(3)],
  ];
  const call = (calls: readonly Input[]) =>
    questionAbout({ inputs: odd, outcomes }, 'slug', 'python', calls)?.call;
  expect(call([['Hello']])).toBe("slug('a b')");
  expect(call([['\u4a28']])).toBe("slug('/\u4a28')");
  expect(call([['\t']])).toBe("slug('tab\\there')");
});

test('asks with arguments that the tests have, where it can', () => {
  const pairs: readonly Input[] = [
    [7, 12],
    [50, 20],
  ];
  const outcomes = [
    [returns(1), returns(1)],
    [returns(2), returns(2)],
  ];
  expect(questionAbout({ inputs: pairs, outcomes }, 'f', 'python', [[50, 30]])?.call).toBe('f(50, 20)');
  expect(questionAbout({ inputs: pairs, outcomes }, 'f', 'python')?.call).toBe('f(7, 12)');
});
