"""The judge's side of the conversation, and the names that the tests see."""

from checks import CallbackFailed, TestsFault
from errors import BUILTINS
from peer import Fatal, Peer, Refused
from prelude import prelude
from shorten import shorten
from wire import TooLarge, Unsendable

CHANNEL = 3


class JudgePeer(Peer):
    by_name = True

    def __init__(self):
        super().__init__(CHANNEL)
        self.loaded = None  # when the candidate was: seconds of a clock that only goes forward
        self.fatal = None  # what ended the conversation: the tests may swallow it, the verdict does not
        self.calls = 0  # calls of the candidate's functions
        self.asked = False  # whether the tests saw anything else of the candidate
        self.last = None  # the last call: stand-in's name, arguments, result

    def answer(self, kind, payload):
        if kind == 'hello':
            return None
        return super().answer(kind, payload)

    def perform(self, kind, payload):
        try:
            return super().perform(kind, payload)
        except AssertionError as error:
            self.fatal = CallbackFailed()
            raise self.fatal from error

    def call(self, number, args, kwargs):
        self.calls += 1
        name = self.borrowed[number].__name__
        shown = ', '.join([shorten(arg, 120) for arg in args] + ['%s=%s' % (k, shorten(v, 120)) for k, v in kwargs.items()])
        self.last = Call(name, shown)
        self.last.result = super().call(number, args, kwargs)
        self.last.returned = True
        return self.last.result

    def look_up(self, name):
        """Whether the candidate's module has a name, and its value."""
        found = self.request('name', name)
        if type(found) is not tuple or len(found) != 2:
            self.fatal = Refused('a message of another shape')
            raise self.fatal
        return found

    def request(self, kind, payload):
        if self.fatal:
            raise self.fatal
        try:
            return super().request(kind, payload)
        except Unsendable as fault:
            # Too much data may be the candidate's own, given back to it.
            from_candidate = isinstance(fault, TooLarge) and self.calls > 1
            what = 'pass %s to the candidate, which cannot be sent' % fault
            self.fatal = Refused('data that grew to %s' % fault) if from_candidate else TestsFault(what)
            raise self.fatal from None
        except Fatal as fault:
            self.fatal = self.fatal or fault
            raise


class Call:
    def __init__(self, name, arguments):
        self.text = '%s(%s)' % (name, arguments)
        self.returned = False
        self.result = None


class Names(dict):
    """The tests' global names. One they do not bind themselves is the harness's, or the candidate's."""

    def __init__(self, peer):
        super().__init__()
        self.peer = peer

    def copy(self):
        """For doctest, whose examples see the same names."""
        names = Names(self.peer)
        names.update(self)
        return names

    def __missing__(self, name):
        if name in BUILTINS:
            raise KeyError(name)
        try:
            self[name] = value = prelude(name)
            return value
        except KeyError:
            pass
        self.peer.asked = True
        found, value = self.peer.look_up(name)
        if not found:
            raise KeyError(name)
        if callable(value):
            self[name] = value
        return value
