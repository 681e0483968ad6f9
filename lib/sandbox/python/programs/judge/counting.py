"""Counts which assertions of the tests hold, after a verdict has been told. Nothing here can change that verdict.

The tests run once more, with every assert in a try statement of its own, so that the first that fails does not hide the
others. Only assert statements are counted that the tests reach by themselves, in functions `check` and `test…`, or when
the tests run; unittest and pytest are left out.
"""

import _ast

from assertions import always_holds
from independent import dependent
from nodes import Maker, walk
from reach import CHECKS

MOST_ASSERTIONS = 1_000
MOST_FAILING = 10  # whose text is told
MOST_TEXT = 200
LEFT_OUT = ('unittest', 'pytest', 'doctest')


class Counter:
    def __init__(self, checks, end):
        self.conversation, self.program = checks.conversation, checks.program
        self.end = end  # is called with the counts when they are final, and ends this process
        self.held, self.missed = 0, 0
        self.failing = {}  # the texts of assertions that failed, by their lines
        self.errors = Exception
        self.shared, self.handed, self.all_handed = checks.shared, checks.handed, checks.all_handed

    def count(self, holds, line):
        if holds:
            self.held += 1
        else:
            self.missed += 1
            first, text = self.program.statement_at(line)
            if len(self.failing) < MOST_FAILING:
                self.failing[first] = text[:MOST_TEXT]
        if self.held + self.missed >= MOST_ASSERTIONS:
            self.finish(True)

    def finish(self, is_partial):
        failing = [{'line': line, 'source': text} for line, text in self.failing.items()]
        counts = {'passed': self.held, 'failed': self.missed, 'failing': failing}
        self.end({**counts, 'partial': True} if is_partial else counts)


def may_count(used):
    return not used.intersection(LEFT_OUT)


def count(checks, end):
    """Calls `end` with the counts."""
    tests, names, function, entry_points = checks.counted
    counter = Counter(checks, end)
    run(counter, lambda: counter.conversation.request('quiet'))
    names[CHECKS] = counter
    tree = compile(tests, '<tests>', 'exec', 0x400, dont_inherit=True)
    dependent(tree, entry_points)
    mentioned = {part.id for part in walk(tree) if isinstance(part, _ast.Name)}
    wrap(tree)
    pending = [one.name for one in tree.body if isinstance(one, _ast.FunctionDef) and is_test(one) and one.name not in mentioned]
    ended = [run(counter, lambda: exec(compile(_ast.Module([statement], []), '<tests>', 'exec', dont_inherit=True), names)) for statement in tree.body]
    ended += [run(counter, lambda: names[name](function) if name == 'check' else names[name]()) for name in pending]
    counter.finish(not all(ended))


def is_test(function):
    arguments = function.args
    required = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults) + len(arguments.kwonlyargs)
    return function.name == 'check' or function.name.startswith('test') and required == 0


def run(counter, work):
    """Whether it ended without an exception."""
    try:
        work()
        return True
    except BaseException:
        return False
    finally:
        if counter.conversation.fatal:
            # The candidate is gone.
            counter.finish(True)


def wrap(node):
    for field in node._fields:
        value = getattr(node, field, None)
        for item in value if isinstance(value, list) else []:
            if isinstance(item, _ast.AST):
                wrap(item)
        if isinstance(value, list):
            value[:] = [counted(item) if isinstance(item, _ast.Assert) and not always_holds(item.test) else item for item in value]


def counted(statement):
    """`try: count(bool(condition), line)`, and `except Exception: count(False, line)`."""
    make = Maker(statement)

    def call(value):
        return make(_ast.Expr, value=make.call(CHECKS, 'count', value, make.constant(statement.lineno)))

    holds = make(_ast.IfExp, test=statement.test, body=make.constant(True), orelse=make.constant(False))
    errors = make(_ast.Attribute, value=make.name(CHECKS), attr='errors', ctx=_ast.Load())
    handler = make(_ast.ExceptHandler, type=errors, name=None, body=[call(make.constant(False))])
    return make(_ast.Try, body=[call(holds)], handlers=[handler], orelse=[], finalbody=[])
