"""Why tests need more than plain data, from their source and the task's declaration alone; see docs/sandbox.md.

Such tests are judged in one process with the candidate. Which candidate it is makes no difference.
"""

import _ast

from declared import kind_of
from errors import BUILTINS
from helpers import MAIN
from language import beyond
from nodes import FUNCTIONS, name_of, walk
from prelude import defines

# What tests use of a runner that one process has to run; see library_uses.py.
OF_PROCESS = {
    'fixture.monkeypatch', 'fixture.mocker', 'fixture.capsys', 'fixture.capfd', 'fixture.capsysbinary', 'fixture.capfdbinary', 'fixture.caplog',
    'fixture.recwarn', 'self.assertLogs', 'self.assertNoLogs', 'self.assertWarns', 'self.assertWarnsRegex', 'fixture.tmp_path', 'fixture.tmpdir',
    'fixture.tmp_path_factory', 'fixture.request',
}  # fmt: skip
# Attributes of plain values; using one says nothing about the value's class. A format can read the attributes of what it
# is given, and so whatever the tests know.
PLAIN_NAMES = set().union(*map(dir, (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range)), (
    'most_common', 'elements', 'subtract', 'total', 'appendleft', 'popleft', 'extendleft', 'rotate', 'maxlen', 'move_to_end', 'default_factory',
    'year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond', 'tzinfo', 'days', 'seconds', 'microseconds', 'total_seconds', 'isoformat',
    'strftime', 'date', 'time', 'timestamp', 'weekday', 'isoweekday', 'isocalendar', 'utcoffset', 'quantize', 'as_tuple', 'is_nan', 'is_finite',
    'is_zero', 'sqrt', 'limit_denominator', 'hex', 'args', 'value', 'exception',
)) - {*dir(object), 'format', 'format_map'}  # fmt: skip
MUTATORS = {
    'append', 'extend', 'insert', 'remove', 'pop', 'clear', 'sort', 'reverse', 'add', 'discard', 'update', 'popitem', 'setdefault',
    'appendleft', 'popleft', 'rotate', 'subtract', 'move_to_end', 'intersection_update', 'difference_update',
}  # fmt: skip
CONSUMERS = {
    'list', 'tuple', 'set', 'frozenset', 'sorted', 'next', 'iter', 'enumerate', 'zip', 'map', 'filter', 'islice', 'takewhile', 'sum', 'dict',
    'Counter', 'deque', 'any', 'all', 'max', 'min', 'join',
}  # fmt: skip


def needs(program, entry_points, declared):
    """What the tests need that two processes cannot exchange; None if that is nothing. `declared`: the declaration's names."""
    uses = program.uses
    of_process = sorted(uses & OF_PROCESS)
    if of_process:
        return 'use %s' % of_process[0]
    not_allowed = beyond(program, BUILTINS.keys())
    if not_allowed:
        return not_allowed
    if program.asks_identity:
        return 'ask which values are the same object'
    for name in entry_points:
        if isinstance(declared.get(name), type) or name not in declared and name.lstrip('_')[:1].isupper():
            return 'use %s, a class' % name
    behaving = sorted(name for name in program.names if isinstance(declared.get(name), type) and not is_shared(declared[name]))
    if behaving:
        return 'use %s, a class with behaviour' % behaving[0]
    assigned = program.assigned & set(declared)
    if assigned:
        return 'assign %s, a name of the task' % sorted(assigned)[0]
    missing = {name for name in program.free - {*entry_points, *declared, *PROVIDED} - BUILTINS.keys() if not defines(name)}
    if missing and not any(use.endswith('.*') for use in uses):
        return "use %s of the candidate's module" % sorted(missing)[0]
    if program.docstrings:
        return 'have examples in a docstring'
    behaving = [node.name for node in walk(program.tree) if isinstance(node, _ast.ClassDef) and not is_test_class(node)]
    if behaving:
        return 'define %s, a class' % behaving[0]
    if program.compared:
        return program.compared
    return used_as_objects(program.tree, set(entry_points), declared)


# Names that the harness gives to every program.
PROVIDED = {'candidate', '__name__', '__file__', '__doc__'}


def is_test_class(node):
    """A class of tests, or of fields alone: a special method or a property could hide what an entry point raises."""
    methods = [one.name for one in node.body if isinstance(one, FUNCTIONS)]
    return not any(name[:2] == '__' for name in methods) and not any(one.decorator_list for one in node.body if isinstance(one, FUNCTIONS))


def is_shared(kind):
    return kind.__module__ != MAIN or kind_of(kind) is not None


def used_as_objects(tree, entry_points, declared):
    """Follows the entry points' results through the tests: plain data is neither called nor asked for an attribute of its own."""
    results, functions = set(), entry_points | {'candidate'}
    callables = {node.name for node in walk(tree) if isinstance(node, (*FUNCTIONS, _ast.ClassDef))} - entry_points

    def is_call(node):
        return isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name) and node.func.id in functions

    def is_result(node):
        if isinstance(node, (_ast.ListComp, _ast.SetComp, _ast.GeneratorExp)):
            return is_result(node.elt)
        if isinstance(node, (_ast.List, _ast.Tuple)):
            return any(map(is_result, node.elts))
        if isinstance(node, _ast.Call) and name_of(node.func) in CONSUMERS and any(map(is_result, node.args)):
            return True
        return is_call(node) or isinstance(node, _ast.Name) and node.id in results or isinstance(node, _ast.Subscript) and is_result(node.value)

    def changes(node):
        """What a node changes in place, if that is a list or another container."""
        if isinstance(node, _ast.Subscript) and not isinstance(node.ctx, _ast.Load):
            return node.value
        if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Attribute) and node.func.attr in MUTATORS:
            return node.func.value
        return node.target if isinstance(node, _ast.AugAssign) and isinstance(node.target, _ast.Subscript) else None

    before = None
    while before != (len(results), len(functions)):
        before = len(results), len(functions)
        for node in walk(tree):
            targets = []
            if isinstance(node, _ast.Assign):
                targets, value = node.targets, node.value
            elif isinstance(node, (_ast.NamedExpr, _ast.AnnAssign)):
                targets, value = [node.target], node.value
            elif isinstance(node, (_ast.For, _ast.comprehension)):
                targets, value = [node.target], node.iter
            names = {part.id for target in targets for part in walk(target) if isinstance(part, _ast.Name)}
            if targets and value is not None and is_result(value):
                results |= names
            if targets and isinstance(value, _ast.Name) and value.id in functions:
                functions |= names
    first = min((node.lineno for node in walk(tree) if is_call(node)), default=None)
    loaded = {node.id for node in walk(tree) if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Load)}
    for statement in tree.body:
        if isinstance(statement, _ast.Assign) and first and statement.lineno > first:
            for target in statement.targets:
                if isinstance(target, _ast.Name) and target.id not in loaded and target.id.isupper():
                    return 'assign %s for the candidate' % target.id
    for node in walk(tree):
        changed = changes(node)
        if changed is not None and is_result(changed):
            return 'change a result'
        if isinstance(node, (_ast.Await, _ast.AsyncFor, _ast.AsyncWith, _ast.AsyncFunctionDef)):
            return 'use coroutines'
        if isinstance(node, (_ast.With,)) and any(is_result(item.context_expr) for item in node.items):
            return 'enter a result'
        if isinstance(node, _ast.Call):
            if is_result(node.func):
                return 'call a result'
            if any(word.arg is None and is_result(word.value) for word in node.keywords):
                return 'use a result as arguments by name'
            if is_call(node):
                for argument in [*node.args, *(word.value for word in node.keywords)]:
                    if isinstance(argument, (_ast.Lambda, _ast.GeneratorExp)) or isinstance(argument, _ast.Name) and argument.id in callables:
                        return 'pass a function to %s' % node.func.id
        if isinstance(node, _ast.Attribute):
            if isinstance(node.value, _ast.Name) and node.value.id in entry_points and not isinstance(declared.get(node.value.id), type):
                return 'use an attribute of %s' % node.value.id
            if is_result(node.value) and node.attr not in PLAIN_NAMES and not has_field(node.attr, declared):
                return 'use the attribute %s of a result' % node.attr
            if is_result(node.value) and not isinstance(node.ctx, _ast.Load):
                return 'change a result'
    return None


def has_field(name, declared):
    kinds = [kind for kind in declared.values() if isinstance(kind, type) and kind.__module__ == MAIN and kind_of(kind)]
    return any(hasattr(kind, name) or name in getattr(kind, '__dataclass_fields__', ()) for kind in kinds)


def takes_iterators(program, entry_points, declared):
    """Whether an entry point may answer with an iterator: the declaration says so, or the tests only walk through it."""
    for name in entry_points:
        function = declared.get(name)
        code = getattr(function, '__code__', None)
        if code is not None and code.co_flags & 0x20:
            return True
        annotation = str(getattr(function, '__annotations__', {}).get('return', ''))
        if any(word in annotation for word in ('Iterator', 'Iterable', 'Generator')):
            return True
        if annotation:
            return False
    names = {name_of(node.func) for node in walk(program.tree) if isinstance(node, _ast.Call)}
    if names & {'next', 'islice', 'iter'}:
        return True
    for node in walk(program.tree):
        inside = node.args if isinstance(node, _ast.Call) and name_of(node.func) in CONSUMERS else ()
        inside = [node.iter] if isinstance(node, (_ast.For, _ast.comprehension)) else inside
        if any(isinstance(part, _ast.Call) and name_of(part.func) in (*entry_points, 'candidate') for part in inside):
            return True
    return False
