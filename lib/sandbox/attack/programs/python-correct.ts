/** Programs that square numbers, among other things: each must pass. */
export interface Correct {
  readonly name: string;
  readonly code: string;
  readonly tests?: string;
}

const square = 'def square(n):\n    return n * n\n';

export const correctCandidates: readonly Correct[] = [
  { name: 'plain', code: square },
  {
    name: 'leftover prints',
    code: 'print("start")\ndef square(n):\n    print("n =", n, flush=True)\n    return n * n\nprint(square(2))\n',
  },
  {
    name: 'prints to stderr',
    code: 'import sys\ndef square(n):\n    print("debug", file=sys.stderr)\n    return n * n\n',
  },
  {
    name: 'more output than is kept',
    code: 'def square(n):\n    for _ in range(20_000):\n        print("a line of output")\n    return n * n\n',
  },
  { name: 'prints of lone surrogates', code: 'def square(n):\n    print("\\ud800")\n    return n * n\n' },
  { name: 'slow but correct', code: 'import time\ndef square(n):\n    time.sleep(0.3)\n    return n * n\n' },
  {
    name: 'busy but correct',
    code: 'def square(n):\n    for _ in range(1_000_000):\n        pass\n    return n * n\n',
  },
  {
    name: 'recursion to depth 5,000',
    code: 'def depth(n):\n    return 0 if n == 0 else 1 + depth(n - 1)\ndef square(n):\n    return n * n if depth(5000) == 5000 else -1\n',
  },
  {
    name: 'big integers',
    code: square,
    tests: 'n = 10 ** 5000 + 7\nassert square(n) == n * n\nassert square(-n) == n * n',
  },
  { name: 'unicode identifiers', code: 'def square(größe):\n    ответ = größe * größe\n    return ответ\n' },
  {
    name: 'global state',
    code: 'calls = 0\nseen = {}\ndef square(n):\n    global calls\n    calls += 1\n    seen[calls] = n\n    return seen[calls] * n\n',
  },
  {
    name: 'classes beside the function',
    code: 'from dataclasses import dataclass\nfrom enum import Enum\n@dataclass\nclass Number:\n    value: "int"\n    def squared(self):\n        return self.value * self.value\nclass Color(Enum):\n    RED = 1\ndef square(n):\n    return Number(n).squared()\n',
  },
  {
    name: 'type hints without their imports',
    code: 'def square(n: Union[int, float], seen: Optional[List[Dict[str, Any]]] = None) -> int:\n    return n * n\n',
  },
  {
    name: 'modules without their imports',
    code: 'def square(n):\n    return int(math.pow(n, 2)) if re.match("x", "x") and deque([1]) else itertools.count()\n',
  },
  {
    name: 'annotations from the future',
    code: 'from __future__ import annotations\ndef square(n: Nothing) -> Nowhere:\n    return n * n\nassert square(2) == 5\ndef after(n: Nothing):\n    return n\n',
  },
  {
    name: 'a main block that reads',
    code: `${square}if __name__ == "__main__":\n    print(square(int(input())))\n`,
  },
  {
    name: 'doctests',
    code: 'def square(n):\n    """\n    >>> square(2)\n    5\n    """\n    return n * n\nimport doctest\ndoctest.testmod()\n',
  },
  { name: 'a wrong assert after the function', code: `${square}assert square(2) == 5, "my own test"\n` },
  {
    name: 'a wrong assert, then what the function needs',
    code: 'def square(n):\n    return helper(n)\nassert square(2) == 4\ndef helper(n):\n    return n * n\n',
  },
  {
    name: 'a wrong check after the function',
    code: `${square}def check(f):\n    assert f(2) == 5\ncheck(square)\n`,
  },
  { name: 'an undefined name after the function', code: `${square}print(square(undefined))\n` },
  { name: 'a lambda', code: 'square = lambda n: n * n\n' },
  {
    name: 'a partial',
    code: 'import functools\nsquare = functools.partial(lambda power, n: n ** power, 2)\n',
  },
  {
    name: 'a bound method',
    code: 'class Solution:\n    def square(self, n):\n        return n * n\nsquare = Solution().square\n',
  },
  {
    name: 'threads that end',
    code: 'import threading\ndef square(n):\n    result = []\n    thread = threading.Thread(target=lambda: result.append(n * n))\n    thread.start()\n    thread.join()\n    return result[0]\n',
  },
  {
    name: 'asyncio',
    code: 'import asyncio\nasync def work(n):\n    await asyncio.sleep(0)\n    return n * n\ndef square(n):\n    return asyncio.run(work(n))\n',
  },
  {
    name: 'files in the work folder',
    code: 'def square(n):\n    with open("number.txt", "w") as file:\n        file.write(str(n * n))\n    return int(open("number.txt").read())\n',
  },
  {
    name: 'subprocess not used but imported',
    code: `import subprocess, socket, multiprocessing, ctypes\n${square}`,
  },
  {
    name: 'decimal, fractions and datetime inside',
    code: 'from decimal import Decimal\nfrom fractions import Fraction\nimport datetime, statistics\ndef square(n):\n    return int(Decimal(n) * Fraction(n).numerator)\n',
  },
  {
    name: 'values of every kind, there and back',
    code: 'def square(value):\n    return value\n',
    tests: `
import datetime, decimal, fractions, math
values = [
    0, -1, 2 ** 63, -2 ** 63 - 1, 10 ** 500, 1.5, True, False, None, 'ü\\ud800', b'\\xff', bytearray(b'q'),
    [1, [2, []]], (1, (2,)), {1, 'a'}, frozenset([1]), {'a': {1: (2,)}}, 1 + 2j, range(3),
    decimal.Decimal('1.10'), fractions.Fraction(1, 3), datetime.date(2020, 1, 2), datetime.time(1, 2, 3),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6, datetime.timezone.utc), datetime.timedelta(1, 2, 3),
    collections.Counter('aab'), collections.OrderedDict(a=1), collections.deque([1, 2], 5), defaultdict(int, {1: 2}),
]
for value in values:
    assert square(value) == value
    assert type(square(value)) is type(value)
    assert repr(square(value)) == repr(value)
assert math.isnan(square(math.nan))
assert square(-math.inf) == -math.inf
assert math.copysign(1, square(-0.0)) == -1
assert type(square(1)) is not bool and square(1) is not True
`,
  },
  {
    name: 'arguments changed in place',
    code: 'def square(items, table, unique):\n    items.append(items.pop(0))\n    table["items"] = items\n    unique.clear()\n    return items\n',
    tests:
      'items, table, unique = [1, 2, [3]], {}, {1}\ninner = items[2]\nresult = square(items, table, unique)\nassert result is items\nassert items == [2, [3], 1]\nassert items[1] is inner\nassert table["items"] is items\nassert unique == set()',
  },
  {
    name: 'shared and cyclic references',
    code: 'def square(pair):\n    pair[0].append(9)\n    return pair[0] is pair[1] and pair[2] is pair\n',
    tests:
      'shared = []\npair = [shared, shared]\npair.append(pair)\nassert square(pair)\nassert shared == [9]',
  },
  {
    name: 'exceptions with their class and message',
    code: 'class Odd(ValueError):\n    pass\ndef square(n):\n    if n == 1:\n        raise Odd("one")\n    return {}[n]\n',
    tests:
      'try:\n    square(1)\n    assert False\nexcept ValueError as error:\n    assert str(error) == "one"\ntry:\n    square(2)\n    assert False\nexcept KeyError as error:\n    assert error.args == (2,)',
  },
  {
    name: 'generators',
    code: 'def square(n):\n    while True:\n        yield n\n        n *= n\n',
    tests:
      'assert list(itertools.islice(square(2), 4)) == [2, 4, 16, 256]\nassert next(square(3)) == 3\nassert square(2) != [2]',
  },
  {
    name: 'an iterator of its own',
    code: 'class Up:\n    def __init__(self): self.n = 0\n    def __iter__(self): return self\n    def __next__(self):\n        self.n += 1\n        if self.n > 3: raise StopIteration\n        return self.n\ndef square(n):\n    return Up()\n',
    tests: 'assert list(square(0)) == [1, 2, 3]',
  },
  {
    name: 'functions as arguments and results',
    code: 'def square(f):\n    return lambda n: f(f(n))\n',
    tests:
      'assert square(lambda n: n + 1)(3) == 5\nassert square(abs)(-3) == 3\nassert square(str)(1) == "1"\ncalled = []\nsquare(called.append)(7)\nassert called == [7, None]',
  },
  {
    name: 'helpers that the tests use',
    code: `def double(n):\n    return 3 * n\n${square}`,
    tests: 'def double(n):\n    return 2 * n\nassert square(double(2)) == 16',
  },
  {
    name: "HumanEval's own layout",
    code: square,
    tests: 'def check(candidate):\n    assert candidate(2) == 4\n',
  },
  { name: "pytest's layout", code: square, tests: 'def test_square():\n    assert square(2) == 4\n' },
  {
    name: 'tests that expect an exit',
    code: 'import sys\ndef square(n):\n    sys.exit(3)\n',
    tests: 'try:\n    square(1)\n    assert False\nexcept SystemExit as end:\n    assert end.code == 3',
  },
];
