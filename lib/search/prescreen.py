"""Runs many edited programs against the same assertions, in one process: what the candidate of an execution is here.

It only sorts out what cannot be right; whatever holds all assertions is judged by itself afterwards. For each program
a line "@number held reached" is printed once it is through, where `held` is -1 if it did not come to the end.
Work is counted in steps of loops and calls, not in seconds, so that the same programs survive on any machine. What
goes on inside of a single call of a builtin has no steps; a clock ends the process where that takes much too long.
"""

import ast
import signal
import sys
import warnings
from operator import add, iadd, ilshift, imul, ipow, lshift, mul, pow

FEWEST_STEPS = 10_000
MOST_STEPS_OF_FIRST = 100_000
MOST_BITS = 200_000
LONGEST = 10_000_000
MOST_SECONDS = 2  # of the processor, for one program


class TooLong(BaseException):
    """Not an Exception: the programs may catch those."""


class Run:
    """One program and how far it is."""

    def __init__(self, most_steps):
        self.steps = 0
        self.most_steps = most_steps
        self.reached = 0
        self.held = 0

    def step(self):
        self.steps += 1
        if self.steps > self.most_steps:
            raise TooLong
        return True

    def grow(self, operator, left, right):
        """Numbers and sequences so large are never meant, and nothing can interrupt their computation."""
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * abs(right) if operator in (pow, ipow) else left.bit_length() + right.bit_length()
            if operator in (lshift, ilshift):
                bits = left.bit_length() + right
            if bits > MOST_BITS:
                raise OverflowError
        elif isinstance(left, (str, list, tuple, bytes)):
            if len(left) * (right if isinstance(right, int) else 1) > LONGEST:
                raise MemoryError
        return operator(left, right)

    def check(self, holds):
        """Takes a function, since asking may raise."""
        self.reached += 1
        try:
            self.held += bool(holds())
        except Exception:
            pass


OPERATORS = {ast.Add: '__add', ast.Mult: '__mul', ast.Pow: '__pow', ast.LShift: '__lshift'}
GROWING = {
    '__add': add, '__mul': mul, '__pow': pow, '__lshift': lshift,
    '__iadd': iadd, '__imul': imul, '__ipow': ipow, '__ilshift': ilshift,
}  # fmt: skip


class Counted(ast.NodeTransformer):
    """Counts a step at each turn of a loop and at each call, and looks at what may grow without end."""

    def visit_body(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(call('__step')))
        return node

    visit_For = visit_While = visit_FunctionDef = visit_body

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.ifs.insert(0, call('__step'))
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return call('__grow', ast.Name(name, ast.Load()), node.left, node.right) if name else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        if not name or not isinstance(node.target, ast.Name):
            return node
        old = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], call('__grow', ast.Name(name.replace('__', '__i'), ast.Load()), old, node.value))


class Checked(ast.NodeTransformer):
    """Goes on after an assertion that does not hold."""

    def visit_Assert(self, node):
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.Expr(call('__check', ast.Lambda(nothing, node.test)))


def call(name, *args):
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def compiled(source, transformer):
    return compile(ast.fix_missing_locations(transformer.visit(ast.parse(source))), '<candidate>', 'exec')


class Nowhere:
    def write(self, text):
        return len(text)

    def flush(self):
        pass


def through(program, suite, names, most_steps):
    """Runs one program; whether it came to the suite's end stands in `ended`."""
    run = Run(most_steps)
    run.ended = False
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    space = dict(names, **GROWING, __name__='candidate', __step=run.step, __grow=run.grow, __check=run.check)
    try:
        exec(compiled(program, Counted()), space)
        exec(suite, space)
        run.ended = True
    except BaseException:
        pass
    return run


def prescreen(first, programs, tests, names):
    """The first program is the one with the bug: what it takes tells how many steps the others may."""
    out, sys.stdout = sys.stdout, Nowhere()
    warnings.simplefilter('ignore')
    suite = compiled(tests, Checked())
    begun = through(first, suite, names, MOST_STEPS_OF_FIRST)
    most_steps = max(FEWEST_STEPS, 20 * begun.steps if begun.ended else 0)
    for number, program in enumerate(programs):
        run = through(program, suite, names, most_steps)
        out.write('\n@%d %d %d' % (number, run.held if run.ended else -1 - run.held, run.reached))
        out.flush()
        if run.ended and run.held == run.reached > 0:
            break
    sys.stdout = out
