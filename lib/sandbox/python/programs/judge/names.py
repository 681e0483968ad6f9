"""The names that the tests see."""

from checks import TestsFault
from errors import BUILTINS
from prelude import prelude
from stand_ins import HandleType


class Names(dict):
    """The tests' globals. Names that the tests do not define are the harness's, entry points, or classes."""

    def __init__(self, peer, entry_points, seed):
        super().__init__()
        self.peer = peer
        self.entry_points = entry_points
        self.seed = seed

    def copy(self):
        """For doctest, whose examples see the same names."""
        names = Names(self.peer, self.entry_points, self.seed)
        names.update(self)
        return names

    def __missing__(self, name):
        if name in BUILTINS or name.startswith('__'):
            raise KeyError(name)
        try:
            self[name] = value = prelude(name, self.seed)
            return value
        except KeyError:
            pass
        self.peer.asked = True
        found, value = self.peer.look_up(name)
        if not found:
            raise KeyError(name)
        if name not in self.entry_points and not isinstance(value, HandleType):
            what = 'use %s, which neither they nor the task define and which is no entry point'
            self.peer.end(TestsFault(what % name))
        if callable(value):
            self[name] = value
        return value
