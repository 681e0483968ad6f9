"""Counts the steps of a program while it runs: loop iterations and calls.

Work is counted in steps, not in seconds, so that the same programs end on every system. Comes before the programs that
use it, in one file with them.
"""

import ast
from operator import add, iadd, ilshift, imul, ipow, lshift, mul, pow

MAX_BITS = 200_000
BITS_A_STEP = 2_000
LONGEST = 10_000_000


class TooLong(BaseException):
    """Not an Exception, which the programs may catch."""


class Steps:
    """The steps of one program, or of one call."""

    def __init__(self, max_steps):
        self.steps = 0
        self.max_steps = max_steps
        self.overran = False

    def step(self):
        self.steps += 1
        if self.steps > self.max_steps:
            self.overran = True
            raise TooLong
        return True

    def grow(self, operator, left, right):
        """Limits numbers and sequences to plausible sizes, because computing them cannot be interrupted."""
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * abs(right) if operator in (pow, ipow) else left.bit_length() + right.bit_length()
            if operator in (lshift, ilshift):
                bits = left.bit_length() + right
            if bits > MAX_BITS:
                raise OverflowError
            self.steps += bits // BITS_A_STEP
        elif isinstance(left, (str, list, tuple, bytes)):
            if len(left) * (right if isinstance(right, int) else 1) > LONGEST:
                raise MemoryError
        return operator(left, right)


OPERATORS = {ast.Add: '__add__', ast.Mult: '__mul__', ast.Pow: '__pow__', ast.LShift: '__lshift__'}
GROWING = {
    '__add__': add, '__mul__': mul, '__pow__': pow, '__lshift__': lshift,
    '__iadd__': iadd, '__imul__': imul, '__ipow__': ipow, '__ilshift__': ilshift,
}  # fmt: skip
WITH_BODY = (ast.For, ast.While, ast.FunctionDef)


def counted(node):
    """Counts a step at each loop iteration and call, and guards operations whose result may grow without limit.

    Changes the tree and returns the node's replacement. It is a single pass, because thousands of programs go through
    it and ast.NodeTransformer with ast.fix_missing_locations takes three times as long.
    """
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            for index, item in enumerate(value):
                if isinstance(item, ast.AST) and item._fields:
                    value[index] = counted(item)
        elif isinstance(value, ast.AST) and value._fields:
            setattr(node, name, counted(value))
    if isinstance(node, WITH_BODY):
        node.body.insert(0, ast.Expr(call('__step__', node), **position(node)))
    elif isinstance(node, ast.comprehension):
        node.ifs.insert(0, call('__step__', node.target))
    elif isinstance(node, ast.BinOp):
        name = OPERATORS.get(type(node.op))
        return call('__grow__', node, variable(name, node), node.left, node.right) if name else node
    elif isinstance(node, ast.AugAssign):
        name = OPERATORS.get(type(node.op))
        if name and isinstance(node.target, ast.Name):
            name = name.replace('__', '__i', 1)
            grown = call('__grow__', node, variable(name, node), variable(node.target.id, node), node.value)
            return ast.Assign([node.target], grown, **position(node))
    return node


def call(name, node, *args):
    return ast.Call(variable(name, node), list(args), [], **position(node))


def variable(name, node):
    return ast.Name(name, ast.Load(), **position(node))


def position(node):
    return {'lineno': node.lineno, 'col_offset': node.col_offset}
