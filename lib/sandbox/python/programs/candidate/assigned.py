"""Globals that the tests assign and the candidate reads: `FACTOR = 10` between two calls.

In one process both would see the new value. A name of the declaration is sent to the candidate. One that only the
candidate defines must have the same value on both sides: sending it could tell what the tests expect.
"""

import _ast

from line import Refused
from nodes import walk

MISSING = object()


class Assigned:
    def __init__(self, peer, names, declared, assigned, read):
        self.peer = peer
        self.names = names
        self.sent = {name: names[name] for name in assigned & declared}
        self.shared = {name: MISSING for name in assigned & read - declared}

    def changes(self):
        """The values to send."""
        found = {}
        for name, before in self.sent.items():
            value = dict.get(self.names, name, MISSING)
            if value is not before and value is not MISSING:
                self.sent[name] = value
                found[name] = own_copy(value)
        for name, before in self.shared.items():
            value = dict.get(self.names, name, MISSING)
            if value is not before and value is not MISSING:
                self.shared[name] = value
                theirs = self.peer.look_up(name)[1]
                if type(theirs) is not type(value) or theirs != value:
                    self.peer.end(Refused('a global %s, which the tests assign too' % name))
        return found


def own_copy(value):
    if type(value) in (int, float, str, bool, bytes, type(None)):
        return value
    import copy

    return copy.deepcopy(value)


def data_names(space):
    """The names of a module's globals that are neither functions nor classes nor modules."""
    kinds = (type, type(_ast), type(own_copy))
    return {name for name, value in list(space.items()) if name[:2] != '__' and not isinstance(value, kinds) and not callable(value)}


def assigned_names(tree):
    """The globals that a program assigns, other than by `def`, `class` and `import`."""
    found, waiting = set(), list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _ast.Name) and isinstance(node.ctx, (_ast.Store, _ast.Del)):
            found.add(node.id)
        inner = isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef, _ast.Lambda))
        if inner:
            found.update(name for part in walk(node) if isinstance(part, _ast.Global) for name in part.names)
            continue
        for field in node._fields:
            value = getattr(node, field, None)
            waiting += [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, _ast.AST)]
    return found
