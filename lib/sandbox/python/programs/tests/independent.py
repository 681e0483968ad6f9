"""Whether the tests compare the candidate's results with something that is out of its reach.

In `assert f(f(x)) == f(x)`, the candidate makes both sides. In `assert push(stack, 3) == len(stack)`, it makes one and can
change the other, if `stack` is a list. Such tests do not decide alone, so two processes prove nothing.
"""

import _ast

from nodes import FUNCTIONS, Maker, children, name_of, walk
from reach import CHECKS, named

LOOPS = (_ast.For, _ast.While)
BINDING = (_ast.Assign, _ast.AnnAssign, _ast.AugAssign, _ast.NamedExpr, _ast.For, _ast.comprehension, _ast.ExceptHandler)
COMPARING = {'isclose', 'allclose', 'eq', 'lt', 'le', 'gt', 'ge', 'ne', 'issubset', 'issuperset'}
TAKING = {'append', 'appendleft', 'extend', 'insert', 'add', 'update', 'setdefault'}
FRESH = {'deepcopy', 'len', 'range', 'int', 'str', 'float', 'bool', 'sum'}


def dependent(tree, entry_points):
    """What the tests compare without a side of their own; None if there is nothing, or only the run can tell.

    For the run, arguments that are read again in such a comparison are wrapped in a call of Checks.handed().
    """
    functions = [node for node in walk(tree) if isinstance(node, FUNCTIONS)]
    makers = set(entry_points) | {'candidate'}
    makers |= named(functions, lambda node: name_of(node) in makers)
    scopes = list(scopes_in(tree, makers, set()))
    found = [line for one in scopes for line in one.dependent()]
    if found:
        return 'compare results with results in line %d' % min(found)
    for one in scopes:
        one.watch()
    return None


def scopes_in(node, makers, results):
    """Those of a node and of the functions in it, which see its results."""
    nodes, inner, waiting = [], [], [node]
    while waiting:
        nodes.append(waiting.pop())
        for part in children(nodes[-1]):
            (inner if isinstance(part, FUNCTIONS) else waiting).append(part)
    scope = Scope(nodes, makers, results)
    yield scope
    for one in inner:
        yield from scopes_in(one, makers, scope.results)


class Scope:
    def __init__(self, nodes, makers, results):
        self.nodes, self.makers = nodes, makers
        self.results = set(results)
        self.same = same_paths(nodes)
        self.handing = [node for node in nodes if isinstance(node, _ast.Call) and name_of(node.func) in makers]
        self.handed = {path for call in self.handing for argument in arguments(call) for path in self.paths(argument)}
        self.loops = [node for node in nodes if isinstance(node, LOOPS)]
        self.aliases = {}  # names with the paths of handed arguments that they may be a part of
        binding = [node for node in nodes if isinstance(node, BINDING) or isinstance(node, _ast.Call) and name_of(node.func) in TAKING]
        before = None
        while before != (before := (len(self.results), len(self.aliases))):
            for node in binding:
                self.follow(node)

    def follow(self, node):
        if isinstance(node, _ast.ExceptHandler) and node.name:
            self.results.add(node.name)
        if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Attribute) and any(map(self.is_made, node.args)):
            self.results |= {part.id for part in [node.func.value] if isinstance(part, _ast.Name)}
        for target, value in bindings(node):
            names = {part.id for part in walk(target) if isinstance(part, _ast.Name)}
            if self.is_made(value):
                self.results |= names
            for path in self.reads(value):
                is_part = isinstance(value, (_ast.Name, _ast.Subscript, _ast.Attribute, _ast.Tuple, _ast.List))
                if (is_part or self.follows_a_call(node, path)) and names != {path[0]}:
                    self.aliases.update((name, path) for name in names)

    def follows_a_call(self, node, path):
        """Whether an argument may have been changed before a statement."""
        for call in self.handing:
            if any(overlap(path, other) for argument in arguments(call) for other in self.paths(argument)):
                if place(call) < place(node):
                    return True
                if any(is_in(call, loop) and is_in(node, loop) and not binds(loop, path[0]) for loop in self.loops):
                    return True
        return False

    def is_made(self, node):
        """Whether the candidate makes a value, at least in part."""
        for part in walk(node):
            kind = type(part)
            if kind is _ast.Name and (part.id in self.makers or part.id in self.results) or kind is _ast.Attribute and part.attr in self.makers:
                return True
        return False

    def reads(self, node):
        """The handed arguments that an expression reads, apart from what it hands over itself."""
        if not self.handed or isinstance(node, _ast.Call) and name_of(node.func) in self.makers:
            return set()
        path = path_of(node, self.same)
        if path:
            path = self.aliases.get(path[0], path)
            return {other for other in self.handed if overlap(path, other)}
        return {found for part in values_in(node) for found in self.reads(part)}

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

    def watch(self):
        """Wraps the arguments that only the run shows to be within the candidate's reach."""
        found = set()
        for sides in self.comparisons() if self.handed else ():
            if all(self.is_made(side) or self.reads(side) for side in sides):
                found.update(*map(self.reads, sides))
        for node in self.nodes if self.handed else ():
            if isinstance(node, _ast.Assert) and not any(isinstance(part, _ast.Compare) for part in walk(node.test)) and self.is_made(node.test):
                found |= self.reads(node.test)
        for call in self.handing if found else ():
            call.args = [self.watched(one, found) for one in call.args]
            for word in call.keywords:
                word.value = self.watched(word.value, found)

    def watched(self, node, found):
        is_read = any(overlap(path, other) for path in self.paths(node) for other in found)
        return watched(node) if is_read else node

    def paths(self, node):
        """What an expression reads: `a`, `case[0]`; not what a call makes a new value of."""
        path = path_of(node, self.same)
        if path:
            return {path}
        if isinstance(node, _ast.Call) and name_of(node.func) in FRESH:
            return set()
        return {found for part in values_in(node) for found in self.paths(part)}


def watched(node):
    if isinstance(node, _ast.Starred):
        node.value = Maker(node).call(CHECKS, 'all_handed', node.value)
        return node
    return Maker(node).call(CHECKS, 'handed', node)


def arguments(call):
    return [*call.args, *(word.value for word in call.keywords)]


def same_paths(nodes):
    """The names that are bound to a name or a part of one: `a` in `a = case[0]`."""
    same = {}
    for node in nodes:
        for target, value in bindings(node) if isinstance(node, _ast.Assign) else []:
            path = path_of(value, same)
            if isinstance(target, _ast.Name) and path and path[0] != target.id:
                same[target.id] = path
    return same


def path_of(node, same):
    """(`case`, 0) for `case[0]`; None for other nodes than names and their parts."""
    if isinstance(node, _ast.Name):
        return same.get(node.id, (node.id,))
    if isinstance(node, _ast.Subscript):
        path = path_of(node.value, same)
        return path and (*path, node.slice.value) if isinstance(node.slice, _ast.Constant) else path
    return None


def overlap(one, other):
    return all(a == b for a, b in zip(one, other))


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
