"""Functions and iterators by reference: each side keeps a list of what it has lent, and stand-ins for what it borrowed."""

import sys

from errors import MAX_NAME
from wire import Malformed, TooLarge

MAX_FUNCTIONS = 10_000

FUNCTION_KINDS = (
    'function',
    'builtin_function_or_method',
    'method',
    'method-wrapper',
    'method_descriptor',
    'partial',
    '_lru_cache_wrapper',
    'type',
)


class Functions:
    """What the encoding asks about values that are not data. `call` and `drain` are the conversation's part."""

    # Whether builtin functions and types go to the other side by their names, to be its own there.
    by_name = False

    def __init__(self):
        self.lent = []  # functions and iterators of ours that the other side may call
        self.lent_numbers = {}  # their places in that list, by id
        self.stand_ins = {}  # our stand-in for one of theirs -> its number there
        self.borrowed = {}  # the same, by number

    def outgoing(self, value):
        """How a function or an iterator is named to the other side; None if it is neither."""
        try:
            if value in self.stand_ins:
                return b'h', self.stand_ins[value]
        except TypeError:
            return None
        kind = type(value)
        name = library_name(value, kind) if self.by_name else None
        if name is not None:
            return b'a', name
        if hasattr(kind, '__next__') and hasattr(kind, '__iter__'):
            return b'g', self.lend(value)
        if kind.__name__ in FUNCTION_KINDS:
            return b'p', (self.lend(value), str(getattr(value, '__name__', 'function'))[:MAX_NAME])
        return None

    def lend(self, value):
        number = self.lent_numbers.get(id(value))
        if number is None:
            if len(self.lent) >= MAX_FUNCTIONS:
                raise TooLarge('more than %d functions' % MAX_FUNCTIONS)
            number = self.lent_numbers[id(value)] = len(self.lent)
            self.lent.append(value)
        return number

    def incoming(self, tag, number):
        """The function or iterator that the other side named."""
        if tag == b'h':
            if type(number) is not int or not 0 <= number < len(self.lent):
                raise Malformed('an unknown function')
            return self.lent[number]
        if tag == b'g' and type(number) is int:
            return self.drain(number)
        if tag == b'p' and type(number) is tuple and type(number[0]) is int and type(number[1]) is str:
            return self.stand_in(number[0], number[1][:MAX_NAME])
        if tag == b'a' and not self.by_name:
            module, path = number
            value = __import__(module, fromlist=['*'])
            for name in path.split('.'):
                value = getattr(value, name)
            return value
        raise Malformed('an unknown tag')

    def stand_in(self, number, name):
        if number not in self.borrowed:
            if len(self.borrowed) >= MAX_FUNCTIONS:
                raise Malformed('too many functions')

            def function(*args, **kwargs):
                return self.call(number, args, kwargs)

            function.__name__ = function.__qualname__ = name
            self.borrowed[number] = function
            self.stand_ins[function] = number
        return self.borrowed[number]


def library_name(value, kind):
    """Module and path of a builtin or library function or class that the other side has too; None if it is not one."""
    if kind.__name__ not in ('builtin_function_or_method', 'type', 'method_descriptor'):
        return None
    module = getattr(value, '__module__', None) or getattr(value, '__objclass__', type(None)).__module__
    found = sys.modules.get(module)
    for name in value.__qualname__.split('.'):
        found = getattr(found, name, None)
    return (module, value.__qualname__) if found is value else None
