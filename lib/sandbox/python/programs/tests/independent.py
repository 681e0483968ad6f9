"""What of the tests' values the candidate may decide or change.

Arguments are copies: what a candidate does to them changes nothing in the judge. Where the tests use an argument again
after the call, they may want to see changes. If they only compare it with values of their own, or hand it over again, and
have no other name for it, changes come back. Otherwise they are judged in one process, if the argument can change.

In `assert f(f(x)) == f(x)`, the candidate makes both sides. Such tests do not decide alone, so two processes prove
nothing.
"""

import _ast

from nodes import FUNCTIONS, Maker, children, name_of, walk
from reach import CHECKS, named

COMPREHENSIONS = (_ast.ListComp, _ast.SetComp, _ast.DictComp, _ast.GeneratorExp)
LOOPS = (_ast.For, _ast.While, *COMPREHENSIONS)
BINDING = (_ast.Assign, _ast.AnnAssign, _ast.AugAssign, _ast.NamedExpr, _ast.For, _ast.comprehension, _ast.ExceptHandler)
COMPARING = {'isclose', 'allclose', 'eq', 'lt', 'le', 'gt', 'ge', 'ne', 'issubset', 'issuperset'}
TAKING = {'append', 'appendleft', 'extend', 'insert', 'add', 'update', 'setdefault'}
FRESH = {'deepcopy', 'len', 'range', 'int', 'str', 'float', 'bool', 'sum'}
# Functions that keep none of what they are given, and modules of some of them.
READING = FRESH | {
    'list', 'dict', 'set', 'tuple', 'frozenset', 'bytearray', 'sorted', 'deque', 'Counter', 'defaultdict', 'OrderedDict', 'all', 'any', 'max',
    'min', 'abs', 'round', 'isinstance', 'type', 'collections', 'copy', 'zip', 'enumerate', 'self',
}  # fmt: skip


def dependent(tree, entry_points):
    """What the tests compare without a side of their own; None if there is nothing.

    Arguments that are used again are wrapped in a call of Checks.shared() or Checks.handed().
    """
    functions = [node for node in walk(tree) if isinstance(node, FUNCTIONS)]
    entries = set(entry_points) | {'candidate'}
    makers = entries | named(functions, lambda node: name_of(node) in entries)
    scopes = list(scopes_in(tree, makers, None))
    found = [line for one in scopes for line in one.dependent()]
    if found:
        return 'compare results with results in line %d' % min(found)
    if any(one.handing for one in scopes):
        Uses(tree, scopes, entries).wrap()
    return None


def scopes_in(node, makers, outer):
    """Those of a node and of the functions in it, which see its results."""
    nodes, inner, waiting = [], [], [node]
    while waiting:
        nodes.append(waiting.pop())
        for part in children(nodes[-1]):
            (inner if isinstance(part, FUNCTIONS) else waiting).append(part)
    scope = Scope(nodes, makers, outer)
    yield scope
    for one in inner:
        yield from scopes_in(one, makers, scope)


class Scope:
    """The names of a function or of the module."""

    def __init__(self, nodes, makers, outer):
        self.nodes, self.makers, self.outer = nodes, makers, outer
        self.results = set(outer.results) if outer else set()
        self.handing = [node for node in nodes if isinstance(node, _ast.Call) and self.hands(node)]
        self.loops = [node for node in nodes if isinstance(node, LOOPS)]
        self.stores = [node for node in nodes if isinstance(node, _ast.Name) and not isinstance(node.ctx, _ast.Load)]
        self.bound = {node.id for node in self.stores} | {node.arg for node in nodes if isinstance(node, _ast.arg)}
        self.bindings = [pair for node in nodes for pair in bindings(node)]
        self.same = self.same_paths()
        binding = [node for node in nodes if isinstance(node, BINDING) or isinstance(node, _ast.Call) and name_of(node.func) in TAKING]
        before = None
        while before != (before := len(self.results)):
            for node in binding:
                self.follow(node)

    def hands(self, call):
        return name_of(call.func) in self.makers or any(name_of(one) in self.makers for one in call.args)

    def follow(self, node):
        if isinstance(node, _ast.ExceptHandler) and node.name:
            self.results.add(node.name)
        if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Attribute) and any(map(self.is_made, node.args)):
            self.results |= {part.id for part in [node.func.value] if isinstance(part, _ast.Name)}
        for target, value in bindings(node):
            if self.is_made(value):
                self.results |= {part.id for part in walk(target) if isinstance(part, _ast.Name)}

    def is_made(self, node):
        """Whether the candidate makes a value, at least in part."""
        for part in walk(node):
            kind = type(part)
            if kind is _ast.Name and (part.id in self.makers or part.id in self.results) or kind is _ast.Attribute and part.attr in self.makers:
                return True
        return False

    def comparisons(self):
        """For each comparison, its sides."""
        for node in self.nodes:
            if isinstance(node, _ast.Compare):
                yield [node.left, *node.comparators]
            elif isinstance(node, _ast.Call) and node.args:
                name = name_of(node.func)
                is_method = name.startswith('iss') and isinstance(node.func, _ast.Attribute)
                sides = [node.func.value, node.args[0]] if is_method else node.args[:2]
                if len(sides) > 1 and (name.startswith('assert') or name in COMPARING):
                    yield sides

    def dependent(self):
        return [sides[0].lineno for sides in self.comparisons() if all(map(self.is_made, sides))]

    def same_paths(self):
        """Names that are bound once, to another name or a part of one: `a` in `a = case[0]` and `for a, b in cases`."""
        same, often = {}, [node.id for node in self.stores]
        for node in self.nodes:
            for target, value in bindings(node) if isinstance(node, (_ast.Assign, _ast.For, _ast.comprehension)) else []:
                path = path_of(value)
                parts = [(target, ())] if isinstance(target, _ast.Name) else [(one, (at,)) for at, one in enumerate(getattr(target, 'elts', ()))]
                for one, more in parts if path else []:
                    if isinstance(one, _ast.Name) and often.count(one.id) == 1 and path[0] != one.id:
                        same[one.id] = (*path, *(() if isinstance(node, _ast.Assign) else (ANY,)), *more)
        return same

    def resolved(self, path):
        """The same value's path from a name that no other is bound to."""
        for _ in range(len(self.same)):
            if path[0] not in self.same:
                break
            path = (*self.same[path[0]], *path[1:])
        return path

    def home(self, name):
        """The scope that a name belongs to."""
        scope = self
        while scope.outer and name not in scope.bound:
            scope = scope.outer
        return scope


class Uses:
    """Where the tests read names and their parts."""

    def __init__(self, tree, scopes, entries):
        self.scopes, self.entries = scopes, entries
        self.statements = {id(part): node for node in walk(tree) if isinstance(node, _ast.stmt) for part in parts_of(node)}
        mentions = [node.id for node in walk(tree) if isinstance(node, _ast.Name)]
        self.repeated = {
            scope for scope in scopes for node in scope.nodes[:1]
            if isinstance(node, FUNCTIONS) and (node.decorator_list or node.name != 'check' and node.name in mentions)
        }  # fmt: skip
        self.reads = []
        for scope in scopes:
            paths = [(node, path_of(node)) for node in scope.nodes if isinstance(getattr(node, 'ctx', None), _ast.Load)]
            inner = {id(node.value) for node, path in paths if path and not isinstance(node, _ast.Name)}
            self.reads += [(scope, node, path) for node, path in paths if path and id(node) not in inner]

    def wrap(self):
        methods = {id(one): self.method(scope, call, one) for scope in self.scopes for call in scope.handing for one in arguments(call)}
        for call in [call for scope in self.scopes for call in scope.handing]:
            call.args = [wrapped(one, methods[id(one)]) for one in call.args]
            for word in call.keywords:
                word.value = wrapped(word.value, methods[id(word.value)])

    def method(self, scope, call, node):
        """What an argument is wrapped in a call of; None if it is not."""
        inside = {id(part) for argument in arguments(call) for part in walk(argument)}
        if not any(path[0] not in scope.makers and self.is_used_again(scope, call, path, inside) for path in paths_in(node)):
            return None
        if isinstance(node, _ast.Starred):
            return 'all_handed'
        is_shared = isinstance(node, _ast.Name) and name_of(call.func) in self.entries and self.is_private(scope, node.id)
        return 'shared' if is_shared else 'handed'

    def is_used_again(self, scope, call, path, inside):
        whole = scope.resolved(path)
        home = scope.home(whole[0])
        if whole[0] not in home.bound:
            return False
        if home is not scope and scope in self.repeated:
            return True
        statement = self.statements.get(id(call), call)
        for where, node, other in self.reads:
            target = where.resolved(other)
            if id(node) in inside or where.home(target[0]) is not home or not overlap(whole, target):
                continue
            if where is not scope:
                return True
            if place(node) >= place(statement):
                column = self.statements.get(id(node), node).col_offset
                between = [one for one in scope.stores if one.id == path[0] == other[0] and place(statement) < place(one) < place(node)]
                if not any(one.col_offset <= column for one in between):
                    return True
            elif any(is_in(call, loop) and is_in(node, loop) and not binds(loop, path[0]) for loop in scope.loops):
                return True
        return False

    def is_private(self, scope, name):
        """Whether the tests make a value themselves, have one name for it, and only hand it over and compare it."""
        made = [value for target, value in scope.bindings if isinstance(target, _ast.Name) and target.id == name]
        if scope.home(name) is not scope or len(made) != [one.id for one in scope.stores].count(name) or not all(map(is_new, made)):
            return False
        handed = {path[0] for call in scope.handing for argument in arguments(call) for path in paths_in(argument)}
        safe = {id(one) for call in scope.handing if name_of(call.func) in self.entries for one in arguments(call)}
        for node in scope.nodes:
            for part in checked_parts(node):
                names = {one.id for one in walk(part) if isinstance(one, _ast.Name)}
                called = {name_of(one.func) for one in walk(part) if isinstance(one, _ast.Call) and isinstance(one.func, _ast.Name)}
                if not scope.is_made(part) and names & handed <= {name} and called <= READING:
                    safe.update(id(one) for one in walk(part))
        return all(where is scope and id(node) in safe for where, node, path in self.reads if path[0] == name and where.home(name) is scope)


def wrapped(node, method):
    if method == 'all_handed':
        node.value = Maker(node).call(CHECKS, method, node.value)
    return node if method in (None, 'all_handed') else Maker(node).call(CHECKS, method, node)


def is_new(value):
    """Whether an expression makes a value of literals alone."""
    local = {part.id for node in walk(value) if isinstance(node, _ast.comprehension) for part in walk(node.target) if isinstance(part, _ast.Name)}
    return all(part.id in READING | local for part in walk(value) if isinstance(part, _ast.Name))


def checked_parts(node):
    """The conditions that a statement checks on their own."""
    if isinstance(node, _ast.Assert):
        both = isinstance(node.test, _ast.BoolOp) and isinstance(node.test.op, _ast.And)
        return node.test.values if both else [node.test]
    value = node.value if isinstance(node, _ast.Expr) else None
    return [value] if isinstance(value, _ast.Call) and isinstance(value.func, _ast.Attribute) and name_of(value.func).startswith('assert') else []


def parts_of(statement):
    """The parts of a statement that are not in a statement inside it."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [part for part in children(node) if not isinstance(part, _ast.stmt)]


def paths_in(node):
    """The names, and parts of them, that an expression reads: `a`, `case[0]`; not what a call makes a new value of."""
    path = path_of(node)
    if path:
        return {path}
    if isinstance(node, _ast.Call) and name_of(node.func) in FRESH:
        return set()
    return {found for part in values_in(node) for found in paths_in(part)}


def path_of(node):
    """(`case`, 0) for `case[0]`; None for other nodes than names and their parts."""
    if isinstance(node, _ast.Name):
        return (node.id,)
    path = path_of(node.value) if isinstance(node, (_ast.Subscript, _ast.Attribute)) else None
    if isinstance(node, _ast.Attribute):
        return path and (*path, '.' + node.attr)
    return path and (*path, node.slice.value if isinstance(node.slice, _ast.Constant) else ANY)


ANY = None


def overlap(one, other):
    return all(a == b or a is ANY or b is ANY for a, b in zip(one, other))


def arguments(call):
    return [*call.args, *(word.value for word in call.keywords)]


def values_in(node):
    """The parts of an expression, without the names of functions and classes that it calls."""
    is_call = isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name)
    return [part for part in children(node) if not (is_call and part is node.func)]


def bindings(node):
    """The targets that a node binds, with what they get."""
    if isinstance(node, _ast.Assign):
        return [pair for target in node.targets for pair in pairs(target, node.value, getattr(node.value, 'elts', ()))]
    if isinstance(node, (_ast.AnnAssign, _ast.AugAssign, _ast.NamedExpr)) and node.value:
        return [(node.target, node.value)]
    if isinstance(node, (_ast.For, _ast.comprehension)):
        zipped = isinstance(node.iter, _ast.Call) and name_of(node.iter.func) == 'zip'
        return pairs(node.target, node.iter, node.iter.args if zipped else ())
    return []


def pairs(target, value, parts):
    """`a, b = c, d` and `for a, b in zip(c, d)` bind each to its own."""
    if isinstance(target, _ast.Tuple) and len(parts) == len(target.elts):
        return list(zip(target.elts, parts))
    return [(target, value)]


def binds(loop, name):
    return any(isinstance(part, _ast.Name) and part.id == name and not isinstance(part.ctx, _ast.Load) for part in walk(loop))


def place(node):
    node = node.target if isinstance(node, _ast.comprehension) else node
    return (node.lineno, node.col_offset)


def is_in(node, loop):
    return place(loop) <= place(node) and node.lineno <= loop.end_lineno
