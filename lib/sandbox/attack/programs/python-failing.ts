import type { Verdict } from '../../../core/verdict.ts';

/** Programs that fail, and what the verdict must say about it. */
export interface Failing {
  readonly name: string;
  readonly code: string;
  readonly tests: string;
  readonly verdict: Partial<Verdict>;
}

const same = 'def f(x):\n    return x\n';

export const failingCandidates: readonly Failing[] = [
  {
    name: '==',
    code: same,
    tests: '\nassert f(2) == 3',
    verdict: {
      kind: 'failed',
      message: 'f(2) returned 2, but the tests want 3.',
      test: { line: 2, source: 'assert f(2) == 3' },
      expected: '3',
      actual: '2',
    },
  },
  {
    name: '== the other way',
    code: same,
    tests: 'assert [3] == f((3,))',
    verdict: { expected: '[3]', actual: '(3,)' },
  },
  {
    name: 'types that only look alike',
    code: same,
    tests: 'assert f("1") == 1',
    verdict: { expected: '1', actual: "'1'" },
  },
  {
    name: 'is',
    code: same,
    tests: 'assert f(0) is None',
    verdict: { kind: 'failed', expected: 'None', actual: '0' },
  },
  { name: 'in', code: same, tests: 'assert f(2) in (3, 4)', verdict: { expected: 'in (3, 4)', actual: '2' } },
  {
    name: 'in the result',
    code: same,
    tests: 'assert 3 in f([2])',
    verdict: { expected: 'containing 3', actual: '[2]' },
  },
  { name: '<', code: same, tests: 'assert f(2) < 1', verdict: { expected: '< 1', actual: '2' } },
  {
    name: '< the other way',
    code: same,
    tests: 'assert 5 < f(2)',
    verdict: { expected: '> 5', actual: '2' },
  },
  {
    name: 'a chain',
    code: same,
    tests: 'assert 0 <= f(7) < 5',
    verdict: { expected: '0 <= f(7) < 5', actual: '7' },
  },
  { name: 'not', code: same, tests: 'assert not f(2)', verdict: { expected: 'a false value', actual: '2' } },
  { name: 'truth', code: same, tests: 'assert f([])', verdict: { expected: 'a true value', actual: '[]' } },
  {
    name: 'truth of a bool',
    code: same,
    tests: 'assert f(False)',
    verdict: { expected: 'True', actual: 'False' },
  },
  {
    name: 'abs(a - b) < eps',
    code: same,
    tests: 'assert abs(f(1.5) - 2.0) < 1e-6',
    verdict: { expected: '2.0 within 1e-6', actual: '1.5' },
  },
  {
    name: 'the second part of and',
    code: same,
    tests: 'assert f(1) == 1 and f(2) == 4',
    verdict: { expected: '4', actual: '2' },
  },
  {
    name: 'all',
    code: same,
    tests: 'assert all(f(n) == n * n for n in range(9))',
    verdict: { message: 'The tests got False, but want True. The last call: f(2) returned 2.' },
  },
  {
    name: 'a loop over cases',
    code: same,
    tests: 'for n, want in [(1, 1), (2, 4)]:\n    got = f(n)\n    assert got == want, f"{n}"',
    verdict: {
      message: 'f(2) returned 2, but the tests want 4.',
      test: { line: 3, source: 'assert got == want, f"{n}"' },
      expected: '4',
      actual: '2',
    },
  },
  {
    name: 'asserts wrapped in a helper',
    code: same,
    tests:
      'def same(got, want):\n    assert got == want\n\ndef check(f):\n    same(f(1), 1)\n    same(f(2), 4)\n\ncheck(f)',
    verdict: { test: { line: 6, source: 'same(f(2), 4)' }, expected: '4', actual: '2' },
  },
  {
    name: 'an assert over several lines',
    code: same,
    tests: 'assert f(\n    2\n) == [\n    4,\n]',
    verdict: { test: { line: 1, source: 'assert f( 2 ) == [ 4, ]' }, expected: '[4]', actual: '2' },
  },
  {
    name: 'a message that calls the candidate again',
    code: 'def f(x):\n    return None\n',
    tests: 'assert f(1) == (1,), "length " + str(len(f(1)))',
    verdict: { kind: 'failed', expected: '(1,)', actual: 'None' },
  },
  {
    name: 'long values',
    code: 'def f(n):\n    return list(range(n))\n',
    tests: 'assert f(100000) == []',
    verdict: { kind: 'failed', expected: '[]' },
  },
  {
    name: 'huge integers',
    code: same,
    tests: 'assert f(1 << 100000) == 1',
    verdict: { actual: 'an integer of 100001 bits' },
  },
  {
    name: 'an exception',
    code: 'def f(x):\n    y = x\n    return y[0]\n',
    tests: 'assert f([1]) == 1\nassert f([]) is None',
    verdict: {
      kind: 'raised',
      message: 'f([]) raised IndexError: list index out of range (line 3).',
      test: { line: 2, source: 'assert f([]) is None' },
      exception: { type: 'IndexError', message: 'list index out of range', line: 3 },
    },
  },
  {
    name: 'an exception class of its own',
    code: 'class Odd(ValueError):\n    pass\ndef f(x):\n    raise Odd("no")\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'raised', exception: { type: 'Odd', message: 'no', line: 4 } },
  },
  {
    name: 'an exception of the tests over a wrong result',
    code: 'def f(x):\n    return None\n',
    tests: 'assert len(f(1)) == 1',
    verdict: { kind: 'raised', test: { line: 1, source: 'assert len(f(1)) == 1' } },
  },
  {
    name: 'an exception while loading',
    code: 'limit = undefined\ndef f(x):\n    return x\n',
    tests: 'assert f(1) == 1',
    verdict: {
      kind: 'raised',
      exception: { type: 'NameError', message: "name 'undefined' is not defined", line: 1 },
    },
  },
  {
    name: 'endless recursion',
    code: 'def f(x):\n    return f(x + 1)\n',
    tests: 'assert f(1) == 1',
    verdict: {
      kind: 'raised',
      exception: { type: 'RecursionError', message: 'maximum recursion depth exceeded', line: 2 },
    },
  },
  {
    name: 'no time left',
    code: 'def f(x):\n    while x:\n        pass\n',
    tests: 'assert f(0) is None\nassert f(1) is None',
    verdict: { kind: 'timeout', test: { line: 2, source: 'assert f(1) is None' } },
  },
  {
    name: 'a program whose loading leaves the tests no time',
    code: 'import time\ntime.sleep(3.6)\ndef f(x):\n    return x\n',
    tests: 'import time\ntime.sleep(60)\nassert f(1) == 1',
    verdict: { kind: 'timeout' },
  },
  {
    name: 'no memory left',
    code: 'def f(x):\n    return [0] * 10 ** 12\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'memory' },
  },
  {
    name: 'a program that does not parse',
    code: 'def f(x):\n    return (x\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'syntax' },
  },
  {
    name: 'no such function',
    code: 'def g(x):\n    return x\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'signature' },
  },
  {
    name: 'other parameters',
    code: 'def f():\n    return 1\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'signature' },
  },
  { name: 'no code', code: ' \n', tests: 'assert f(1) == 1', verdict: { kind: 'no-code' } },
  {
    name: 'an exit',
    code: 'import os\ndef f(x):\n    os._exit(3)\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'exited', message: 'f(1) ended the process with status 3.' },
  },
  {
    name: 'a crash',
    code: 'import os\ndef f(x):\n    os.abort()\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'exited', message: 'f(1) ended the process by SIGABRT.' },
  },
  {
    name: 'a result that is not plain data',
    code: 'import sys\ndef f(x):\n    return [sys]\n',
    tests: 'assert f(1) == 1',
    verdict: { kind: 'not-serializable', message: 'f(1) gave a value of type module, not plain data.' },
  },
];

/** Tests that say nothing about a candidate, and what is wrong with them. */
export const faultyTests: ReadonlyArray<readonly [name: string, tests: string, fault: string]> = [
  ['do not parse', 'assert f(1) =', 'The tests do not parse: invalid syntax (line 1).'],
  ['are empty', '', 'The tests assert nothing.'],
  ['assert nothing', 'f(1)\nprint(f(2))', 'The tests assert nothing.'],
  ['assert only what always holds', 'f(1)\nassert True, "unreachable"', 'The tests assert nothing.'],
  ['never name the entry point', 'assert 1 + 1 == 2', 'The tests never call f.'],
  ['name it but never call it', 'g = f\nassert 1 + 1 == 2', 'The tests never call f.'],
  [
    'fail before they call it',
    'assert 1 == 2\nassert f(1) == 1',
    'The tests fail before they call f (line 1): The tests got 1, but want 2.',
  ],
  [
    'pass what cannot be sent',
    'import threading\nassert f(threading.Lock()) == 1',
    'The tests pass a value of type _thread.lock to the candidate, which cannot be sent.',
  ],
];
