"""The judge's side of the conversation.

The judge only asks the candidate and compares the results in this process. If code of the candidate would decide a
comparison between an object of its class and plain data, the two count as unequal, or the object is refused.
"""

import sys
from _thread import get_ident

from bounds import TooLarge, Unsendable
from checks import TestsFault, WrongKind
from declared import classes_in
from errors import is_line
from escaped import Escaped, Handed, swallow
from functions import FUNCTION_KINDS
from kinds import holds, may_be_class, returns_plain_data
from lent_objects import MOCKS, may_use, may_use_of_function, may_use_special
from line import Fatal, Refused
from peer import Peer
from replay import Iterations
from shorten import shorten
from stand_ins import COMPARISONS, REFERENCES, SPECIALS, Function, Handle, HandleType, shown_handle

CHANNEL = 3

# Special methods that tests may use on any object: their results are compared here, or there is nothing to compare.
FREE = {
    '__iter__', '__next__', '__reversed__', '__call__', '__enter__', '__exit__', '__aenter__', '__aexit__', '__aiter__',
    '__anext__', '__await__', '__repr__', '__str__', '__format__', '__hash__',
}  # fmt: skip
# Special methods with which an object decides about the plain value that it is given.
OPERATORS = 'add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift'.split()
DECIDING = {'__contains__', *('__%s%s__' % (side, name) for side in ('', 'r', 'i') for name in OPERATORS)}
# Special methods that give the parts of an object, which may be others at each call.
READING = ('__iter__', '__next__', '__reversed__')
CARRYING = ('call', 'special', 'next', 'send', 'throw', 'close', 'get', 'set', 'delete', 'poll')


class JudgePeer(Peer):
    by_name = True
    suspicious = True
    own_modules = ('__main__', MOCKS)
    module_of_theirs = 'candidate'

    def __init__(self):
        super().__init__(CHANNEL)
        self.loaded = None  # when the candidate had loaded, in seconds of a monotonic clock
        self.loading_seconds = 0
        self.fatal = None  # what ended the conversation; the tests may swallow it, the verdict does not
        self.calls = 0  # number of calls of the candidate's functions
        self.asked = False  # whether the tests used anything else of the candidate
        self.last = None  # the last call: name of the stand-in, arguments, result
        self.subjects = set()  # numbers of the entry points
        self.trusted = set()  # numbers of classes that the tests or the declaration know, or whose objects' attributes the tests use
        self.guessed = set()  # numbers of entry points that are trusted as classes only because of their names
        self.plain = set()  # numbers of entry points whose results are plain data, by the declaration
        self.references = 0  # number of values that were received by reference
        self.iterations = Iterations()
        self.escaped = Escaped()
        self.globals_read = set()  # names of the candidate's globals that its functions read
        self.program = None  # the tests; see asserts.py
        self.compared = None  # the class whose own special methods decided
        self.surroundings = None  # what tests change around a call; see surroundings.py
        self.stops = False  # whether the tests expect a StopIteration of the candidate

    def end(self, fatal):
        self.fatal = self.fatal or fatal
        raise self.fatal

    # what the candidate asks

    def answer(self, kind, payload):
        if kind == 'hello':
            return None
        if kind == 'output' and type(payload) is tuple and len(payload) == 2 and type(payload[1]) is str:
            return (sys.stderr if payload[0] == 'stderr' else sys.stdout).write(payload[1]) and None
        if kind == 'environment' and type(payload) is dict and self.surroundings:
            return self.surroundings.take(payload)
        if kind == 'drew' and self.surroundings:
            return self.surroundings.candidate_drew()
        if kind == 'warning' and self.surroundings and type(payload) is tuple and len(payload) == 2:
            warning, line = payload
            if isinstance(warning, Warning) and is_line(line) and line:
                return self.surroundings.warn(warning, line)
        return super().answer(kind, payload)

    def perform(self, kind, payload):
        try:
            return super().perform(kind, payload)
        except Fatal:
            raise
        except BaseException as error:
            self.escaped.note(error)
            raise

    def lend_exception(self, error):
        # One that the candidate must not swallow is recognized when it comes back.
        return self.lend(error) if self.escaped.holds(error) else super().lend_exception(error)

    def callable_of(self, number):
        value = self.owned(number)
        owner = value if isinstance(value, type) else type(value)
        is_function = type(value).__name__ in FUNCTION_KINDS
        if is_function or isinstance(value, type) and self.is_own(owner) or self.is_own(owner) and may_use_special(owner, '__call__'):
            return value
        raise TypeError('not a function of the tests')

    def opened(self, number, name, kind):
        """Serves objects of the tests' own classes, by names that the tests define: nothing leads from them into this process."""
        value = self.owned(number)
        owner = value if isinstance(value, type) else type(value)
        if type(name) is not str:
            allowed = False
        elif type(value).__name__ in FUNCTION_KINDS and kind != 'special':
            allowed = may_use_of_function(value, name, kind, self.program.uses)
        elif kind == 'special':
            allowed = name in SPECIALS and self.is_own(owner) and may_use_special(owner, name)
        else:
            allowed = self.is_own(owner) and may_use(value, name, kind, self.program.uses)
        if not allowed:
            self.end(Refused('a request for %s of %s' % (shorten(name), shown_handle(value))))
        return value

    def advance(self, kind, number, value):
        if not hasattr(type(self.owned(number)), '__next__'):
            raise TypeError('not an iterator of the tests')
        return super().advance(kind, number, value)

    def poll(self, number):
        if type(self.owned(number)).__name__ not in ('coroutine', 'async_generator_asend'):
            raise TypeError('not a coroutine of the tests')
        return super().poll(number)

    # what the tests ask

    def call(self, number, args, kwargs):
        self.calls += 1
        stand_in = self.borrowed[number]
        name = stand_in.__name__ if isinstance(stand_in, (Function, type)) else shown_handle(stand_in)
        shown = ', '.join([shorten(arg, 120) for arg in args] + ['%s=%s' % (k, shorten(v, 120)) for k, v in kwargs.items()])
        self.last = Call(name, shown)
        for each in [None] if number not in self.subjects else [*args, *kwargs.values()]:
            self.iterations.forget(self.homes.get(id(each)))
        references = self.references
        self.last.result = super().call(number, args, kwargs)
        self.last.returned = True
        if number in self.plain and references < self.references and holds(self.last.result, REFERENCES):
            self.end(Refused('what the declaration does not say'))
        return self.last.result

    def share_declared(self, names):
        """Shares the task's own classes with the candidate, as far as its program has them too."""
        kinds = {name: kind for name, kind in classes_in(names, '__main__').items() if name not in names.entry_points}
        found = self.request('declared', kinds) if kinds else []
        for name in found if type(found) is list else []:
            if type(name) is str and name in kinds:
                self.declared.share(name, names[name])

    def made(self, tag, number, parts):
        self.references += 1
        return super().made(tag, number, parts)

    def subject(self, name, declared):
        """The stand-in for an entry point. `declared` is what the declaration defines by that name."""
        found = self.look_up(name)[1]
        if not callable(found) or not self.is_stand_in(found):
            self.end(Refused('an entry point that is no function'))
        number = self.homes[id(found)]
        self.subjects.add(number)
        if isinstance(found, type) and may_be_class(name, declared, self.program):
            self.trusted.add(number)
            if declared is None and name not in self.program.classes:
                self.guessed.add(number)
        elif isinstance(found, type) and declared is not None:
            self.end(WrongKind('%s is a class, not a function' % name))
        if returns_plain_data(declared):
            self.plain.add(number)
        return found

    def construct(self, kind, number, args, kwargs):
        made = super().construct(kind, number, args, kwargs)
        if number not in self.subjects and not isinstance(made, kind):
            self.end(Refused('what is no %s object' % kind.__name__))
        return made

    def attribute(self, owner, number, name):
        self.asked = True
        kind = owner if isinstance(owner, type) else type(owner)
        known = not isinstance(kind, HandleType) or self.trusts(kind)
        if not known and name in plain_names() and not issubclass(kind, BaseException):
            self.end(Refused('%s, whose own %s would decide' % (shown_handle(owner), name)))
        value = self.request('get', (number, name))
        if not known and not name.startswith('__') and '.%s' % name in self.program.uses:
            self.trusted.add(kind.hefix_class[1])
        return value

    def special(self, owner, number, name, args):
        kind = type(owner)
        known = not isinstance(kind, HandleType) or self.trusts(kind)
        if name in COMPARISONS and not self.may_compare(kind, known, args):
            return self.unlike(owner, args, name)
        if name not in FREE and name not in COMPARISONS and not known:
            self.end(Refused('%s, whose own %s would decide' % (shown_handle(owner), name)))
        self.calls += 1
        if isinstance(kind, HandleType) and kind.hefix_class[1] in self.guessed and (name not in FREE or name in READING):
            self.compared = kind.__name__
        error = args[1] if name in ('__exit__', '__aexit__') else None
        args = (*args[:2], None) if name in ('__exit__', '__aexit__') else args

        def ask():
            return self.request('special', (number, name, args))

        if name in ('__exit__', '__aexit__'):
            return self.leave(error, ask) if name == '__exit__' else self.leave_later(error, ask)
        if name == '__iter__' and not known:
            return self.iterated(owner, number, ask)
        if name == '__next__':
            return self.advanced(number, known, ask)
        answer = ask()
        by_plain_value = any(not isinstance(one, Handle) for one in args)
        if name in COMPARISONS and answer is not NotImplemented or name in DECIDING and by_plain_value and not holds(answer, REFERENCES):
            self.compared = kind.__name__
        return answer

    def may_compare(self, kind, known, args):
        return bool(args) and (known or isinstance(args[0], Handle) and is_related(kind, type(args[0])))

    def leave(self, error, ask):
        """Lets a context manager of the candidate end its `with` statement."""
        with Handed(self, error) as handed:
            answer = ask()
            if holds(answer, REFERENCES):
                self.end(Refused('an answer of __exit__ that is no plain data'))
            handed.swallowed(answer)
            return answer

    async def leave_later(self, error, ask):
        with Handed(self, error) as handed:
            answer = await ask()
            if holds(answer, REFERENCES):
                self.end(Refused('an answer of __aexit__ that is no plain data'))
            handed.swallowed(answer)
            return answer

    def iterated(self, owner, number, ask):
        made = []

        def first():
            made.append(ask())
            return made[0]

        if number in self.iterations.kept:
            return self.iterations.over(number, first)
        found = first()
        return found if found is owner else self.iterations.over(number, lambda: found)

    def advanced(self, number, known, ask):
        stops, self.stops = self.stops, True
        try:
            value = ask()
        except StopIteration:
            self.iterations.advanced(number, True)
            raise
        finally:
            self.stops = stops
        if not known and not self.iterations.advanced(number, False):
            self.end(Refused('an iterator that goes on after its end'))
        return value

    def step(self, kind, number, value):
        if kind == 'throw':
            with Handed(self, value) as handed:
                found = super().step(kind, number, value)
                handed.swallowed(True)
                return found
        try:
            found = super().step(kind, number, value)
        except StopIteration:
            self.iterations.advanced(number, True)
            raise
        if kind != 'close' and not self.iterations.advanced(number, False):
            self.end(Refused('an iterator that goes on after its end'))
        return found

    def unlike(self, owner, args, name):
        """The candidate's objects are unequal to all plain values, except for mappings and sets of collections.abc."""
        if is_like_plain(type(owner)):
            self.end(Refused('%s, whose own %s would decide' % (shown_handle(owner), name)))
        if name in ('__eq__', '__ne__'):
            return NotImplemented
        if args and isinstance(args[0], Handle):
            return NotImplemented
        self.end(Refused('%s, whose own %s would decide' % (shown_handle(owner), name)))

    def trusts(self, kind):
        return any(base.hefix_class[1] in self.trusted for base in kind.__mro__ if isinstance(base, HandleType))

    def arriving(self, error):
        if isinstance(error, StopIteration) and not self.stops:
            # It would silently end a loop over calls in the tests; PEP 479 does the same for generators.
            if self.surroundings and 'StopIteration' in self.surroundings.program.names:
                self.end(Refused('a StopIteration of a plain call'))
            changed = RuntimeError('the candidate raised StopIteration')
            changed.hefix_origin = error.hefix_origin
            return changed
        return error

    def look_up(self, name):
        """Whether the candidate's module defines a name, and its value."""
        found = self.request('name', name)
        if type(found) is not tuple or len(found) != 2:
            self.end(Refused('a message of another shape'))
        return found

    def request(self, kind, payload):
        if self.fatal:
            raise self.fatal
        if self.surroundings and kind in CARRYING and self.owner == get_ident():
            self.surroundings.carry()
        before = tuple(self.escaped.errors)
        try:
            answer = super().request(kind, payload)
            # A coroutine may still let the error through.
            if kind != 'poll' or answer[0] is not False:
                self.check_escaped(before)
            return answer
        except Unsendable as fault:
            # The oversized data may be the candidate's own, passed back to it.
            from_candidate = isinstance(fault, TooLarge) and self.calls > 1
            what = 'pass %s to the candidate, which cannot be sent' % fault
            self.fatal = Refused('data that grew to %s' % fault) if from_candidate else TestsFault(what)
            raise self.fatal from None
        except Fatal as fault:
            self.fatal = self.fatal or fault
            raise
        except BaseException as error:
            self.escaped.returned(error)
            self.check_escaped(before)
            raise

    def finish(self):
        """Called when the tests have run: errors that the candidate has left in tasks of the tests are swallowed too."""
        for task in self.tasks.values():
            if task.done() and not task.cancelled() and task._log_traceback:
                self.escaped.note(task.exception())
        self.check_escaped()

    def check_escaped(self, before=()):
        """Ends the tests if the candidate has swallowed an error that ended one of their assertions."""
        error = self.escaped.since(before)
        if error is not None:
            swallow(self, error)

    def refuse(self, reason):
        """The candidate asked for something that cannot be sent."""
        self.end(Refused('a request that is answered by %s' % reason))

    def give_up(self, what):
        self.end(TestsFault(what))

    def no_subclass(self, bases):
        self.give_up('subclass %s, a class of the candidate' % ', '.join(base.__name__ for base in bases))


def is_related(one, other):
    return one is other or issubclass(one, other) or issubclass(other, one)


def is_like_plain(kind):
    abstract = sys.modules.get('collections.abc')
    return abstract is not None and issubclass(kind, (abstract.Mapping, abstract.Set))


def plain_names():
    """Attributes that plain values also have: using one says nothing about the value's class."""
    if not PLAIN_NAMES:
        for kind in (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, range):
            PLAIN_NAMES.update(dir(kind))
        PLAIN_NAMES.difference_update(dir(object))
        PLAIN_NAMES.update(('appendleft', 'popleft', 'most_common', 'elements', 'as_tuple', 'is_integer'))
    return PLAIN_NAMES


PLAIN_NAMES = set()


class Call:
    def __init__(self, name, arguments):
        self.text = '%s(%s)' % (name, arguments)
        self.returned = False
        self.result = None
