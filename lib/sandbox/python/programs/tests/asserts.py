"""Rewrites the asserts of a test program so that a failing one reports the expected and the actual value.

    assert f(x) == 3, 'message'

becomes

    _left = _right = _checks.start(0)
    if not (_left := f(x)) == (_right := 3):
        raise _checks.failed(0, _left, _right)
    _checks.held()

Every operand is evaluated once, in the original order. Messages are not evaluated, because they might call the
candidate again. Other statements that can fail (`self.assertEqual(…)`, `with pytest.raises(…)`, `if …: raise`) are
followed by `_checks.held()`. Test functions are wrapped as reach.py says, so that those are noticed that never ran, or
ended without one of their assertions.
"""

import _ast
from _symtable import DEF_BOUND, DEF_GLOBAL, DEF_LOCAL, GLOBAL_EXPLICIT, GLOBAL_IMPLICIT, SCOPE_MASK, SCOPE_OFF, USE, symtable

from assertions import always_holds, asserts, is_assertion, may_fail
from independent import dependent
from library_uses import library_uses, module_names
from nodes import FUNCTIONS, Maker, name_of, segment, walk
from reach import CASE, CHECKS, Reachable

ONLY_AST = 0x400
LEFT, RIGHT = '_hefix_left', '_hefix_right'
SYMBOLS = {
    _ast.Eq: '==', _ast.NotEq: '!=', _ast.Lt: '<', _ast.LtE: '<=', _ast.Gt: '>', _ast.GtE: '>=',
    _ast.Is: 'is', _ast.IsNot: 'is not', _ast.In: 'in', _ast.NotIn: 'not in',
}  # fmt: skip


class Clause:
    """One assert, or one operand of `assert a and b`."""

    def __init__(self, line, kind, source):
        self.line = line
        self.kind = kind  # 'compare', 'near', 'true', 'false' or 'other'
        self.source = source  # of the condition
        self.symbol = ''  # of a comparison
        self.swapped = False  # the tests' own value stands on the left
        self.wanted = ''  # of 'near': source of the tolerance


class Rewritten:
    def __init__(self, tree, lines):
        self.tree = tree
        self.lines = lines
        self.clauses = []
        self.assertions = 0  # assert statements that can fail
        self.other_assertions = 0  # raise statements and calls such as assertEqual that can fail
        self.raises = 0  # statements that always fail: raise, `assert False`, self.fail()
        self.statements = {}  # line -> first line and source of its simple statement
        self.names = set()  # names in the program
        self.tests = {}  # test functions and methods: line of the definition -> dotted name
        self.must_reach = set()  # lines of those that have to reach one of their assertions
        self.asks_identity = False  # whether it asks which values are the same object
        self.assigned = set()  # globals that it assigns
        self.bound = set()  # all globals that it defines
        self.free = set()  # globals that it uses and does not define
        self.assertion_lines = set()  # lines of statements that check something
        self.uses = set()  # what the program uses of libraries; see library_uses.py
        self.modules = set()  # names that stand for modules
        self.unused = {}  # other functions that assert and are never mentioned: line -> dotted name
        self.docstrings = []  # those that hold a doctest
        self.compared = None  # why no side of a comparison is out of the candidate's reach
        self.helper_lines = set()  # lines of statements that only use their function's parameters

    def statement_at(self, line):
        """Returns the first line and the source of the statement that a line belongs to."""
        return self.statements.get(line) or (line, self.lines[line - 1].strip())


def rewrite(source, entry_points=()):
    """Raises what `compile` raises if the program does not parse. With entry points, see independent.py."""
    tree = compile(source, '<tests>', 'exec', ONLY_AST, dont_inherit=True)
    compared = dependent(tree, entry_points) if entry_points else None
    # Not splitlines(): it also splits at characters that Python does not count as line ends.
    result = Rewritten(tree, [line.rstrip('\r') for line in source.split('\n')])
    for node in walk(tree):
        if isinstance(node, _ast.Name):
            result.names.add(node.id)
        result.asks_identity = result.asks_identity or compares_identity(node)
        if isinstance(node, _ast.Assert) or isinstance(node, _ast.stmt) and not isinstance(node, _ast.If) and may_fail(node):
            result.assertion_lines |= own_lines(node)
        if isinstance(node, _ast.Assert) and not always_holds(node.test):
            result.assertions += 1
            result.raises += isinstance(node.test, _ast.Constant)
        if isinstance(node, _ast.Raise) or (isinstance(node, _ast.Attribute) and node.attr == 'fail'):
            result.other_assertions += 1
            result.raises += 1
        if is_assertion(node):
            result.other_assertions += 1
        if isinstance(node, _ast.stmt) and not hasattr(node, 'body'):
            found = node.lineno, segment(result.lines, node)
            result.statements.update((line, found) for line in range(node.lineno, node.end_lineno + 1))
        if isinstance(node, FUNCTIONS):
            mark_helper(node, result)
        if isinstance(node, (_ast.Module, _ast.ClassDef, *FUNCTIONS)) and '>>>' in docstring(node):
            result.docstrings.append(docstring(node))
    result.compared = compared
    result.uses, result.modules = library_uses(tree), module_names(tree)
    result.assigned, result.bound, result.free = global_names(source)
    reachable = Reachable(tree)
    for function, name in find_tests(tree, ''):
        line = entry_line(function)
        result.tests[line] = name
        if reachable.must_reach(function):
            result.must_reach.add(line)
        wrap_case(function, line)
    find_unused(tree, result)
    rewrite_block(tree, result, CHECKS)
    return result


def compares_identity(node):
    if isinstance(node, _ast.Call):
        return name_of(node.func) in ('id', 'assertIs', 'assertIsNot', 'is_', 'is_not')
    if not isinstance(node, _ast.Compare) or not any(isinstance(op, (_ast.Is, _ast.IsNot)) for op in node.ops):
        return False
    return not any(isinstance(part, _ast.Constant) and part.value in (None, True, False) for part in (node.left, *node.comparators))


def own_lines(statement):
    """A statement's lines, without those of functions inside it."""
    inside = [part for part in walk(statement) if isinstance(part, FUNCTIONS)]
    return lines_of(statement).difference(*(lines_of(function) for function in inside))


def lines_of(node):
    return set(range(node.lineno, node.end_lineno + 1))


def find_tests(node, prefix):
    """Test functions and methods, except those inside other functions, with their dotted names."""
    found = []
    for part in blocks(node):
        if isinstance(part, FUNCTIONS):
            if part.name.startswith('test') or (part.name == 'check' and not prefix):
                found.append((part, prefix + part.name))
        elif isinstance(part, _ast.ClassDef):
            if part.name.startswith('Test') or part.bases:
                found += find_tests(part, part.name + '.')
        else:
            found += find_tests(part, prefix)
    return found


def note_entry(function):
    """Lets a function say that it began to run. Returns the line by which it is known."""
    line = entry_line(function)
    make = Maker(function.body[0])
    entered = make(_ast.Expr, value=make.call(CHECKS, 'entered', make.constant(line)))
    function.body.insert(1 if docstring(function) else 0, entered)
    return line


def wrap_case(function, line):
    """Lets a test say that it runs, and that it reaches an assertion: see reach.py."""
    start = 1 if docstring(function) else 0
    make = Maker(function.body[0])
    body = function.body[start:] or [make(_ast.Pass)]
    item = _ast.withitem(make.call(CHECKS, 'case', make.constant(line)), make.name(CASE, _ast.Store()))
    function.body[start:] = [make(_ast.With, items=[item], body=body, type_comment=None)]


def is_case(node):
    """Whether it is what wraps a test function's body."""
    variable = node.items[0].optional_vars if isinstance(node, _ast.With) else None
    return isinstance(variable, _ast.Name) and variable.id == CASE


def entry_line(function):
    return min([function.lineno] + [decorator.lineno for decorator in function.decorator_list])


CALLED_BY_RUNNERS = ('test', 'setup', 'setUp', 'teardown', 'tearDown', 'load_tests', 'pytest_')


def find_unused(tree, result):
    """Functions that assert, and tests of classes, which only a reader would take for tests: no runner calls them."""
    mentioned = {part.attr for part in walk(tree) if isinstance(part, _ast.Attribute)} | result.names
    for part in tree.body:
        functions = [part] if isinstance(part, FUNCTIONS) else []
        if isinstance(part, _ast.ClassDef) and not part.bases and not part.name.startswith('Test'):
            functions = [one for one in part.body if isinstance(one, FUNCTIONS) and one.name.startswith('test')]
        for function in functions:
            known = function is part and (function.name == 'check' or function.name.startswith(CALLED_BY_RUNNERS))
            mentions = {part.name, function.name} & mentioned
            if not known and not mentions and not part.decorator_list and asserts(function):
                result.unused[note_entry(function)] = '.'.join(dict.fromkeys((part.name, function.name)))


def blocks(node):
    for field in ('body', 'orelse', 'handlers', 'finalbody', 'cases'):
        value = getattr(node, field, None)
        if isinstance(value, list):
            yield from value


def docstring(node):
    first = node.body[0] if node.body else None
    value = first.value if isinstance(first, _ast.Expr) else None
    return value.value if isinstance(value, _ast.Constant) and isinstance(value.value, str) else ''


def rewrite_block(node, result, holder):
    holder = CASE if is_case(node) else holder
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list) and value and isinstance(value[0], (_ast.stmt, _ast.excepthandler, *MATCH_CASE)):
            new = []
            for item in value:
                if isinstance(item, _ast.Assert):
                    new += rewrite_assert(item, item.test, result, holder) or [item]
                else:
                    rewrite_block(item, result, holder)
                    new.append(item)
                    if may_fail(item):
                        make = Maker(item)
                        new.append(make(_ast.Expr, value=make.call(holder, 'held')))
            value[:] = new


MATCH_CASE = (_ast.match_case,) if hasattr(_ast, 'match_case') else ()


def rewrite_assert(statement, test, result, holder):
    if always_holds(test):
        return []
    if isinstance(test, _ast.BoolOp) and isinstance(test.op, _ast.And):
        return [new for part in test.values for new in rewrite_assert(statement, part, result, holder)]
    number = len(result.clauses)
    clause = Clause(statement.lineno, 'other', segment(result.lines, test))
    result.clauses.append(clause)
    make = Maker(test)
    condition = record(test, clause, make, result)
    start = make(
        _ast.Assign,
        targets=[make.name(LEFT, _ast.Store()), make.name(RIGHT, _ast.Store())],
        value=make.call(CHECKS, 'start', make.constant(number)),
        type_comment=None,
    )
    failure = make.call(CHECKS, 'failed', make.constant(number), make.name(LEFT), make.name(RIGHT))
    check = make(
        _ast.If,
        test=make(_ast.UnaryOp, op=_ast.Not(), operand=condition),
        body=[make(_ast.Raise, exc=failure, cause=None)],
        orelse=[],
    )
    return [start, check, make(_ast.Expr, value=make.call(holder, 'held'))]


def record(test, clause, make, result):
    """The condition, rewritten to keep its operands in LEFT and RIGHT."""
    if isinstance(test, _ast.UnaryOp) and isinstance(test.op, _ast.Not):
        clause.kind = 'false'
        return make(_ast.UnaryOp, op=test.op, operand=make.keep(LEFT, test.operand))
    if isinstance(test, _ast.BoolOp):
        test.values = [make.keep(LEFT, value) for value in test.values]
        return test
    if not isinstance(test, _ast.Compare):
        clause.kind = 'true'
        return make.keep(LEFT, test)
    if len(test.ops) > 1:
        test.comparators[0] = make.keep(LEFT, test.comparators[0])
        return test
    left, right = test.left, test.comparators[0]
    difference = near(left) if isinstance(test.ops[0], (_ast.Lt, _ast.LtE)) else None
    if difference is not None:
        clause.kind = 'near'
        clause.wanted = segment(result.lines, right)
        clause.swapped = is_tests_own(difference.left) and not is_tests_own(difference.right)
        difference.left = make.keep(LEFT, difference.left)
        difference.right = make.keep(RIGHT, difference.right)
        return test
    clause.kind = 'compare'
    clause.symbol = SYMBOLS[type(test.ops[0])]
    clause.swapped = is_tests_own(left) and not is_tests_own(right)
    test.left = make.keep(LEFT, left)
    test.comparators[0] = make.keep(RIGHT, right)
    return test


def near(node):
    """The subtraction in `abs(a - b)` or `math.fabs(a - b)`, else None."""
    if isinstance(node, _ast.Call) and len(node.args) == 1 and not node.keywords:
        inner = node.args[0]
        if name_of(node.func) in ('abs', 'fabs') and isinstance(inner, _ast.BinOp) and isinstance(inner.op, _ast.Sub):
            return inner
    return None


def is_tests_own(node):
    """Whether a value is the tests' own: made of literals, and of names such as `expected`."""
    for part in walk(node):
        if isinstance(part, _ast.Call):
            return False
        if isinstance(part, _ast.Name) and not any(word in part.id.lower() for word in ('expect', 'want', 'correct')):
            return False
    return True


def mark_helper(function, result):
    """Notes the lines of helpers such as `def same(a, b): assert a == b`: the caller's line is more informative."""
    arguments = function.args
    parameters = {one.arg for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs}
    for node in walk(function):
        if not isinstance(node, (_ast.Assert, _ast.Expr)):
            continue
        names = {part.id for part in walk(node) if isinstance(part, _ast.Name)}
        called = {part.func.id for part in walk(node) if isinstance(part, _ast.Call) and isinstance(part.func, _ast.Name)}
        if names & parameters and names - called <= parameters and not called & parameters:
            result.helper_lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def global_names(source):
    """The globals that a program assigns, other than by `def`, `class` and `import`; all that it defines; and others that it uses."""
    module = symtable(source, '<tests>', 'exec')
    assigned, bound, used = set(), set(), set()
    tables = [module]
    for table in tables:
        tables += table.children
        for name, flags in table.symbols.items():
            if table is module or flags & DEF_GLOBAL:
                assigned.update([name] if flags & DEF_LOCAL else [])
                bound.update([name] if flags & DEF_BOUND else [])
            if flags & USE and flags >> SCOPE_OFF & SCOPE_MASK in (GLOBAL_IMPLICIT, GLOBAL_EXPLICIT):
                used.add(name)
    return assigned - {table.name for table in module.children}, bound, used - bound
