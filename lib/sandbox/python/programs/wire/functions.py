"""Values that are not data and are sent by reference. Each side keeps a list of what it has lent, and stand-ins for
the other side's values.
"""

import sys

from bounds import Malformed, TooLarge
from declared import Declared
from errors import EXCEPTIONS, MAX_NAME, described, rebuilt
from library_errors import error_name, found_error
from stand_ins import (
    PLAIN,
    SPECIALS,
    AsyncGenerator,
    Function,
    Generator,
    Handle,
    HandleType,
    Iterator,
    Opaque,
    coroutine,
    stand_in_class,
)
from wire import NAMED_TYPES

MAX_LENT = 50_000

FUNCTION_KINDS = {
    'function': True, 'builtin_function_or_method': False, 'method': False, 'method-wrapper': False,
    'method_descriptor': True, 'partial': False, '_lru_cache_wrapper': True, 'wrapper_descriptor': True,
    'itemgetter': False, 'attrgetter': False, 'methodcaller': False, 'singledispatch': True,
}  # fmt: skip
ITERATOR_MODULES = ('builtins', 'itertools')
# Modules that are not the side's own but whose objects may be used, since they only answer questions.
HANDLED = ('contextlib',)


class Functions:
    """What the encoding needs to know about values that are not data. Subclasses define `request`."""

    # Whether builtin functions and types are sent by name and become the other side's own.
    by_name = False
    # Modules whose classes are this side's own, and the name that the other side's classes get here.
    own_modules = ()
    module_of_theirs = ''

    def __init__(self):
        self.declared = Declared()
        self.lent = []  # values that the other side may refer to
        self.lent_numbers = {}  # their indexes in that list, by id
        self.borrowed = {}  # stand-ins by the number of the value they stand for
        self.homes = {}  # those numbers, by the id of the stand-in

    def is_stand_in(self, value):
        return id(value) in self.homes

    def outgoing(self, value):
        """How a value is named to the other side; None if it cannot be."""
        number = self.homes.get(id(value))
        if number is not None:
            return b'h', number
        kind = type(value)
        name = library_name(value, kind) if self.by_name else None
        if name is not None:
            return b'a', name
        if kind is object:
            return b'O', self.lend(value)
        if issubclass(kind, type):
            if value in self.declared.names:
                return b'L', self.declared.names[value]
            if self.is_own(value):
                return self.outgoing_class(value)
            found = error_name(value) if issubclass(value, Exception) else None
            return (b'X', (*found, builtin_error(value))) if found else None
        if issubclass(kind, BaseException):
            return b'E', described(value, self)
        if kind.__name__ in FUNCTION_KINDS:
            return b'p', (self.lend(value), str(getattr(value, '__name__', 'function'))[:MAX_NAME], FUNCTION_KINDS[kind.__name__])
        if kind.__name__ in ('coroutine', 'async_generator_asend', 'async_generator_athrow'):
            return b'w', self.lend(value)
        if kind.__name__ == 'async_generator':
            return b'y', self.lend(value)
        if hasattr(kind, '__next__') and hasattr(kind, '__iter__') and kind.__module__ in ITERATOR_MODULES:
            return b'g', (self.lend(value), hasattr(kind, 'send'))
        if self.is_own(kind):
            return self.outgoing_object(value, kind)
        return None

    def is_own(self, kind):
        if any(base.__module__ in self.own_modules for base in kind.__mro__) or kind.__module__ in HANDLED:
            return True
        return issubclass(kind, tuple) and is_named_tuple(kind)

    def outgoing_object(self, value, kind):
        base = next((base for base in PLAIN if issubclass(kind, base)), None)
        if base is None:
            if issubclass(kind, (list, dict, set, bytearray)) or self.is_mutable_library_object(kind):
                return None
            return b'o', (kind, self.lend(value))
        if self.by_name or decides_itself(kind, base):
            return None
        return b'V', (kind, base(value) if base is not tuple else tuple(value), self.lend(value))

    def is_mutable_library_object(self, kind):
        """The other side cannot see what an object inherits from C: threads, locks, files and so on."""
        return any(base.__module__ in ('_io', '_thread', 'threading', 'array', 'collections') for base in kind.__mro__)

    def outgoing_class(self, kind):
        fields = 'enum' if hasattr(type(kind), '__members__') else ()
        if issubclass(kind, tuple) and type(getattr(kind, '_fields', None)) is tuple:
            fields = kind._fields
        return b'C', (self.lend(kind), kind.__name__[:MAX_NAME], self.known_bases(kind), specials_of(kind), fields, abstract_bases(kind))

    def known_bases(self, kind):
        """The nearest bases that the other side has, or has stand-ins for."""
        found = []
        for base in kind.__bases__:
            known = self.is_own(base) or base in NAMED_TYPES.values() or id(base) in self.homes
            found += [base] if known else self.known_bases(base)
        return tuple(dict.fromkeys(found))

    def lend(self, value):
        number = self.lent_numbers.get(id(value))
        if number is None:
            if len(self.lent) >= MAX_LENT:
                raise TooLarge('more than %d functions and objects' % MAX_LENT)
            number = self.lent_numbers[id(value)] = len(self.lent)
            self.lent.append(value)
        return number

    def owned(self, number):
        if type(number) is not int or not 0 <= number < len(self.lent):
            raise Malformed('something that was not lent')
        return self.lent[number]

    def incoming(self, tag, payload):
        """The value that the other side named."""
        if tag == b'h':
            return self.owned(payload)
        if tag == b'L':
            return self.declared.named(payload)
        if tag == b'a' and not self.by_name:
            return library_value(*payload)
        if tag == b'E':
            return rebuilt(payload, self)
        if tag == b'X' and type(payload) is tuple and len(payload) == 3 and type(payload[0]) is type(payload[1]) is str:
            return found_error(*payload[:2]) or payload[2]
        if tag in (b'w', b'y', b'O'):
            number, parts = payload, ()
        elif type(payload) is tuple and len(payload) == SHAPES.get(tag):
            number = payload[1] if tag == b'o' else payload[2] if tag == b'V' else payload[0]
            parts = payload
        else:
            raise Malformed('an unknown tag')
        if type(number) is not int or number < 0:
            raise Malformed('not a number')
        if number not in self.borrowed:
            if len(self.borrowed) >= MAX_LENT:
                raise Malformed('too many functions and objects')
            self.keep(number, self.made(tag, number, parts))
        return self.borrowed[number]

    def keep(self, number, stand_in):
        self.borrowed[number] = stand_in
        self.homes[id(stand_in)] = number

    def made(self, tag, number, parts):
        if tag == b'p' and type(parts[1]) is str:
            return Function(self, number, parts[1][:MAX_NAME], parts[2] is True)
        if tag == b'g':
            return Generator(self, number) if parts[1] is True else Iterator(self, number)
        if tag == b'w':
            return coroutine(self, number)
        if tag == b'y':
            return AsyncGenerator(self, number)
        if tag == b'O':
            return Opaque()
        if tag == b'C' and type(parts[2]) is type(parts[3]) is type(parts[5]) is tuple:
            return stand_in_class(self, number, *parts[1:])
        kind = parts[0]
        if not isinstance(kind, HandleType):
            raise Malformed('an object of no class')
        if tag == b'o' and issubclass(kind, Handle):
            handle = object.__new__(kind)
            object.__setattr__(handle, 'hefix', (self, number))
            return handle
        base = next((base for base in PLAIN if issubclass(kind, base)), None)
        if tag == b'V' and base is not None and type(parts[1]) is base:
            value = base.__new__(kind, parts[1])
            value.__dict__['hefix'] = self, number
            return value
        raise Malformed('an object of another class')

    # exceptions

    def number_at_home(self, error):
        return self.homes.get(id(error)) if getattr(error, 'hefix_returns', False) else None

    def lend_exception(self, error):
        """Lets the other side ask for the parts of an exception that are not sent; a builtin exception has none."""
        return self.lend(error) if self.is_own(type(error)) else None

    def lent_exception(self, number):
        error = self.owned(number)
        if not isinstance(error, BaseException):
            raise Malformed('not an exception')
        return error

    def borrow_exception(self, error, number):
        if type(number) is int and number >= 0 and number not in self.borrowed and len(self.borrowed) < MAX_LENT:
            error.hefix_borrowed = self, number
            error.hefix_returns = True
            self.keep(number, error)

    def class_of_exception(self, kind):
        """The class that is sent: a builtin class, or one of this side's own."""
        if self.is_own(kind) or id(kind) in self.homes or (issubclass(kind, Exception) and error_name(kind)):
            return kind
        return builtin_error(kind)

    def may_be_raised(self, kind):
        return isinstance(kind, type) and issubclass(kind, BaseException)


SHAPES = {b'p': 3, b'g': 2, b'C': 6, b'o': 2, b'V': 3}


def builtin_error(kind):
    """The nearest builtin class of an exception's class."""
    return next(base for base in kind.__mro__ if EXCEPTIONS.get(base.__name__) is base)


# Methods that a subclass of a plain class may define without deciding comparisons itself.
HARMLESS = {'__repr__', '__str__', '__format__', '__hash__', '__call__', '__get__'}


def decides_itself(kind, base):
    for one in kind.__mro__:
        if one is base:
            return False
        if one.__module__ in ('enum', 'typing', 'abc') or one is object:
            continue
        if is_named_tuple(one):
            continue
        # Methods of the plain class that the tests would otherwise use.
        if any(name in SPECIALS and name not in HARMLESS or name in base.__dict__ and name[:1] != '_' for name in one.__dict__):
            return True
    return False


def is_named_tuple(kind):
    return kind.__bases__ == (tuple,) and type(getattr(kind, '_fields', None)) is tuple and '__eq__' not in kind.__dict__


def abstract_bases(kind):
    """Names of the classes of collections.abc that a class inherits from."""
    return tuple(base.__name__ for base in kind.__mro__ if base.__module__ == 'collections.abc')


def specials_of(kind):
    """The special methods that a class does not inherit from `object`."""
    found = []
    for name in SPECIALS:
        owner = next((base for base in kind.__mro__ if name in base.__dict__), object)
        if owner is object:
            continue
        if owner.__dict__[name] is not None:
            found.append(name)
        elif name == '__hash__':
            found.append('-__hash__')
    return tuple(found)


def library_name(value, kind):
    """Module and path of a builtin or library function or class that the other side also has; None for others."""
    if kind.__name__ not in ('builtin_function_or_method', 'type', 'method_descriptor'):
        return None
    module = getattr(value, '__module__', None) or getattr(value, '__objclass__', type(None)).__module__
    found = sys.modules.get(module) if module != '__main__' else None
    for name in value.__qualname__.split('.'):
        found = getattr(found, name, None)
    return (module, value.__qualname__) if found is value else None


def library_value(module, path):
    value = __import__(module, fromlist=['*'])
    for name in path.split('.'):
        value = getattr(value, name)
    return value
