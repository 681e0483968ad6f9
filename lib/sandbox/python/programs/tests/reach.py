"""Which test functions reach one of their assertions, in at least one of their cases.

The body of a test function becomes `with _hefix_checks.case(line) as _hefix_case:`. Its own assertions, and those of
functions inside it, call `_hefix_case.held()`: a callback that the candidate keeps counts for the test that made it.
Assertions of other functions count for the tests that are running.
"""

import _ast

from assertions import always_holds, assertion_calls, is_assertion, may_fail
from nodes import FUNCTIONS, name_of, walk

CHECKS, CASE = '_hefix_checks', '_hefix_case'


class Case:
    """One run of a test function."""

    def __init__(self, checks, line):
        self.checks, self.line = checks, line
        self.outer = checks.case_running
        self.is_reached = False

    def held(self):
        self.is_reached = True
        self.checks.holding += 1

    def __enter__(self):
        self.checks.case_running = self
        return self

    def __exit__(self, error, *_):
        self.checks.case_running = self.outer
        if self.is_reached and self.outer:
            self.outer.is_reached = True
        if error is None:
            self.checks.case_ended(self)


class Reachable:
    """Tells which functions of a program have to reach one of their assertions."""

    def __init__(self, tree):
        self.noticed = {id(call) for node in walk(tree) for call in assertion_calls(node)}
        functions = [node for node in walk(tree) if isinstance(node, FUNCTIONS)]
        self.asserting = named(functions, is_reachable)
        self.failing = named(functions, self.fails_otherwise)

    def must_reach(self, function):
        """Whether it has assertions, and cannot fail in another way."""
        return holds(function, is_reachable, self.asserting) and not holds(function, self.fails_otherwise, self.failing)

    def fails_otherwise(self, node):
        """Fails without an assertion that can hold, or by one that is part of an expression and cannot be noticed."""
        if isinstance(node, _ast.Assert):
            return isinstance(node.test, _ast.Constant) and not always_holds(node.test)
        if isinstance(node, _ast.Raise) or isinstance(node, _ast.Attribute) and node.attr == 'fail':
            return True
        return is_assertion(node) and id(node) not in self.noticed


def is_reachable(node):
    return not always_holds(node.test) if isinstance(node, _ast.Assert) else may_fail(node)


def named(functions, what):
    """The names of functions that hold something, in themselves or in a function that they mention."""
    found, before = set(), None
    while len(found) != before:
        before = len(found)
        found |= {function.name for function in functions if function.name not in found and holds(function, what, found)}
    return found


def holds(function, what, names):
    return any(what(part) or name_of(part) in names for part in walk(function))
