"""Plain data as text: what Python's literals make, and a closed list of values without behaviour of their own.

The text is JSON. Numbers, strings, booleans and null stand for themselves, anything else is an object with one member,
whose name says what the value is: {"t": [1, 2]} is a tuple. Values are sent by their exact type, except that a subclass of
str, int or float without behaviour of its own becomes the builtin type. Mutable containers are numbered in the order in which they end, on both sides; {"R": 3} is the third again. So an
answer can name a container that the call has handed over, and can say how it has changed.
"""

import sys
from _json import encode_basestring_ascii, make_scanner
from math import inf, nan
from operator import is_

MAX_VALUES = 500_000
MAX_DEPTH = 200
MAX_BITS = 4_000_000
MAX_RANGE = 5_000_000
# Values per message. A shared container counts each time it appears, as `==` and sorting visit it each time.
MAX_UNFOLDED = 5_000_000
# Items that are taken from an iterator, and the length of their text.
MAX_ITEMS = 5_000
MAX_ITEMS_TEXT = 256 * 1024


class NotPlain(Exception):
    """The value cannot be sent; the message says what it is."""


class Malformed(Exception):
    """The text is not a valid message."""


class Encoder:
    """`known`: containers that both sides have, by number. `shares`: whether others get numbers too."""

    def __init__(self, declared, known=(), shares=True, iterators=False):
        self.declared = declared
        self.kept = list(known)
        self.numbers = {id(value): number for number, value in enumerate(self.kept)}
        self.shares = shares
        self.shared = {}  # containers in which both sides see changes, by number; see calls.py
        self.iterators = iterators
        self.left = MAX_VALUES
        self.depth = 0
        self.named = 0  # how often a container was named again

    def text(self, value):
        write = SIMPLE.get(type(value))
        if write:
            return write(value)
        number = self.numbers.get(id(value))
        if number is not None:
            self.named += 1
            return '{"R":%d}' % number
        return self.contents(value)

    def contents(self, value):
        """The text of a container, whether or not the other side knows it already."""
        kind = type(value)
        self.left -= len(value) if kind in SIZED else 1
        if self.left < 0:
            raise NotPlain('more than %d values' % MAX_VALUES)
        if self.depth >= MAX_DEPTH:
            raise NotPlain('data nested deeper than %d levels' % MAX_DEPTH)
        self.depth += 1
        tag = SEQUENCES.get(kind)
        if tag:
            text = '{"%s":[%s]}' % (tag, ','.join([self.text(item) for item in value]))
        elif kind is dict:
            text = '{"d":%s}' % self.pairs(value)
        else:
            text = self.other(value, kind)
        self.depth -= 1
        if self.shares and text[2] in NUMBERED:
            self.numbers[id(value)] = len(self.kept)
            self.kept.append(value)
        return text

    def pairs(self, value):
        return '[%s]' % ','.join([self.text(part) for pair in dict.items(value) for part in pair])

    def other(self, value, kind):
        if kind is bytes:
            return '{"b":%s}' % encode_basestring_ascii(value.decode('latin-1'))
        if kind is complex:
            return '{"j":[%s,%s]}' % (write_float(value.real), write_float(value.imag))
        library = parts_of(value, kind)
        if library:
            tag, parts = library
            return '{"%s":[%s]}' % (tag, ','.join([self.text(part) for part in parts]))
        how = self.declared.kinds.get(kind)
        if how:
            name, parts = self.declared.names[kind], self.declared.parts(value, kind, how)
            return '{"%s":[%s,%s]}' % (how, encode_basestring_ascii(name), self.text(parts))
        if self.iterators and hasattr(kind, '__next__') and hasattr(kind, '__iter__'):
            return self.items(value)
        base = next((base for base in (str, int, float) if issubclass(kind, base)), None)
        if base and not any(set(vars(one)) - NO_BEHAVIOUR for one in kind.__mro__[: kind.__mro__.index(base)]):
            return SIMPLE[base](base.__getnewargs__(value)[0])
        raise NotPlain('a value of type %s' % type_name(kind))

    def items(self, iterator):
        """The first items of an iterator, and its end: a tuple of its return value, an error, or false if there are more."""
        texts, length, end = [], 0, 'false'
        while len(texts) < MAX_ITEMS and length < MAX_ITEMS_TEXT:
            try:
                item = next(iterator)
            except StopIteration as stop:
                end = '{"t":[%s]}' % self.text(stop.value)
                break
            except Exception as error:
                end = self.text(self.declared.described(error))
                break
            texts.append(self.text(item))
            length += len(texts[-1])
        return '{"y":[[%s],%s]}' % (','.join(texts), end)


class Decoder:
    """`known` as in Encoder; `appends`: whether containers of the text get numbers too."""

    def __init__(self, declared, known=None, appends=False):
        self.declared = declared
        self.known = [] if known is None else known
        self.appends = appends
        self.named = 0
        # Names that make_scanner reads.
        self.strict, self.object_hook, self.parse_float, self.parse_int = False, None, float, read_int
        self.parse_constant, self.memo = self.constant, {}
        self.nan = nan  # the object that a NaN becomes: the tests may look for one that they have handed over
        self.object_pairs_hook = self.build
        self.scan = make_scanner(self)

    def value(self, text):
        try:
            value, end = self.scan(text, 0)
        except (MemoryError, Malformed):
            raise
        except Exception as fault:
            raise Malformed('%s: %s' % (type(fault).__name__, fault)) from None
        if end != len(text):
            raise Malformed('text after the end')
        return value

    def constant(self, name):
        return self.nan if name == 'NaN' else inf if name == 'Infinity' else -inf

    def build(self, pairs):
        (tag, parts), = pairs
        if tag == 'R':
            self.named += 1
            return self.known[parts if type(parts) is int and parts >= 0 else MAX_VALUES]
        if tag == 'i' or tag == 'b':
            return read_large(parts) if tag == 'i' else str.encode(parts, 'latin-1')
        if type(parts) is not list:
            raise Malformed('no parts')
        if tag == 'q':
            return nan if self.appends else float('nan')
        make = BUILD.get(tag)
        if make:
            value = make(parts)
        elif tag == 'y':
            value = walk(*parts, self.declared)
        else:
            value = self.declared.build(tag, *parts)
        if self.appends and tag in NUMBERED:
            self.known.append(value)
        return value


def walk(items, end, declared):
    """The judge's iterator over the items of an iterator."""
    if type(items) is not list:
        raise Malformed('no items')
    error = None if type(end) is tuple else declared.at_end if end is False else declared.rebuilt(end)

    def steps():
        yield from items
        if error is not None:
            raise error
        return end[0]

    return steps()


SEQUENCES = {list: 'l', tuple: 't', set: 's', frozenset: 'z'}
# Tags of containers that can change.
NUMBERED = 'ldsco'
SIZED = {list, tuple, set, frozenset, dict}


def write_int(value):
    if -MAX_SMALL < value < MAX_SMALL:
        return '%d' % value
    # One operation on larger integers could take longer than an execution may, and nothing could interrupt it.
    if value.bit_length() > MAX_BITS:
        raise NotPlain('an integer of more than %d bits' % MAX_BITS)
    return '{"i":"%x"}' % value


MAX_SMALL = 10**18


def read_int(text):
    if len(text) > 20:
        raise Malformed('an integer in decimal digits')
    return int(text)


def read_large(text):
    if len(text) > MAX_BITS // 4 + 2:
        raise Malformed('an integer of more than %d bits' % MAX_BITS)
    return int(text, 16)


def write_float(value):
    if value - value == 0:
        return float.__repr__(value)
    # Only the one of math is itself on the other side.
    if value != value:
        return 'NaN' if value is nan else '{"q":[]}'
    return 'Infinity' if value > 0 else '-Infinity'


SIMPLE = {
    type(None): lambda _value: 'null',
    bool: lambda value: 'true' if value else 'false',
    int: write_int,
    float: write_float,
    str: encode_basestring_ascii,
}


def pairs_of(parts):
    if len(parts) % 2:
        raise Malformed('a key without a value')
    return zip(parts[::2], parts[1::2])


def build_range(parts):
    return checked_range(range(*parts))


def checked_range(value):
    """Raises NotPlain if a loop in C (`sum`, `list`, `in`) could take too long over a range."""
    if not -MAX_RANGE <= value.start - value.stop <= MAX_RANGE * abs(value.step):
        raise NotPlain('a range of more than %d numbers' % MAX_RANGE)
    return value


BUILD = {
    'l': list,
    't': tuple,
    's': set,
    'z': frozenset,
    'd': lambda parts: dict(pairs_of(parts)),
    'j': lambda parts: complex(*parts),
    'r': build_range,
    '.': lambda parts: ...,
    'k': lambda parts: dict.fromkeys(parts).keys(),
    'v': lambda parts: dict(enumerate(parts)).values(),
    'm': lambda parts: dict(parts).items(),
    'c': lambda parts: library_container(*parts),
    'L': lambda parts: library_value(*parts),
}
VIEWS = {type({}.keys()): 'k', type({}.values()): 'v', type({}.items()): 'm'}
FACTORIES = {kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple, bool)}
# Larger values could take a C operation, which cannot be interrupted, longer than an execution may last.
MAX_DIGITS = 10_000
MAX_EXPONENT = 100_000
MAX_FRACTION_BITS = 16_384


def parts_of(value, kind):
    """The tag and parts of a value whose type is no literal's; None if it is not on the list."""
    if kind in VIEWS:
        return VIEWS[kind], list(value)
    if kind is range:
        checked_range(value)
        return 'r', (value.start, value.stop, value.step)
    if kind is type(...):
        return '.', ()
    if kind is bytearray:
        return 'c', ('bytearray', bytes(value), None)
    name, module = kind.__name__, sys.modules.get(kind.__module__)
    if type(name) is not str or getattr(module, name, None) is not kind:
        return None
    if kind.__module__ == 'collections' and name in ('OrderedDict', 'Counter', 'defaultdict'):
        factory = value.default_factory if name == 'defaultdict' else None
        if factory is not None and FACTORIES.get(getattr(factory, '__name__', '')) is not factory:
            return None
        return 'c', (name, [part for pair in kind.items(value) for part in pair], factory and factory.__name__)
    if (kind.__module__, name) == ('collections', 'ChainMap'):
        return 'c', (name, value.maps, None)
    if (kind.__module__, name) == ('collections', 'deque'):
        return 'c', (name, list(value), value.maxlen)
    take = TAKEN.get((kind.__module__.partition('.')[0], name))
    return ('L', (name, *take(value))) if take else None


DATE, TIME = ('year', 'month', 'day'), ('hour', 'minute', 'second', 'microsecond', 'tzinfo')
TAKEN = {
    ('decimal', 'Decimal'): lambda value: (value.__str__(),),
    ('fractions', 'Fraction'): lambda value: (value.numerator, value.denominator),
    ('datetime', 'date'): lambda value: [getattr(value, name) for name in DATE],
    ('datetime', 'time'): lambda value: [getattr(value, name) for name in (*TIME, 'fold')],
    ('datetime', 'datetime'): lambda value: [getattr(value, name) for name in (*DATE, *TIME, 'fold')],
    ('datetime', 'timedelta'): lambda value: (value.days, value.seconds, value.microseconds),
    ('datetime', 'timezone'): lambda value: (value.utcoffset(None), value.tzname(None)),
}


def library_container(name, parts, more):
    if name == 'bytearray' and type(parts) is bytes:
        return bytearray(parts)
    import collections

    if type(parts) is not list or name not in ('OrderedDict', 'Counter', 'defaultdict', 'deque', 'ChainMap'):
        raise Malformed('not a container')
    if name == 'ChainMap':
        return collections.ChainMap(*map(dict, parts))
    if name == 'deque':
        return collections.deque(parts, more)
    made = getattr(collections, name)()
    if name == 'defaultdict' and more is not None:
        made.default_factory = FACTORIES[more]
    # Not update(): that of a Counter counts.
    for key, value in pairs_of(parts):
        made[key] = value
    return made


def library_value(name, *parts):
    if name == 'Decimal':
        from decimal import Decimal

        if len(parts[0]) > MAX_DIGITS:
            raise Malformed('a Decimal of more than %d digits' % MAX_DIGITS)
        value = Decimal(parts[0])
        if value.is_finite() and abs(value.adjusted()) > MAX_EXPONENT:
            raise Malformed('a Decimal with an exponent beyond %d' % MAX_EXPONENT)
        return value
    if name == 'Fraction':
        from fractions import Fraction

        if max(int.bit_length(part) for part in parts) > MAX_FRACTION_BITS:
            raise Malformed('a Fraction of integers of more than %d bits' % MAX_FRACTION_BITS)
        value = Fraction(*parts)
        if value.denominator != parts[1]:
            raise Malformed('a Fraction that is not in lowest terms')
        return value
    import datetime

    if name == 'timezone':
        plain = datetime.timezone(parts[0])
        return plain if plain.tzname(None) == parts[1] else datetime.timezone(*parts)
    if name not in ('date', 'time', 'datetime', 'timedelta'):
        raise Malformed('not a value of the library')
    kind = getattr(datetime, name)
    return kind(*parts[:-1], fold=parts[-1]) if 'time' in (name, name[4:]) else kind(*parts)


# What a class has that only gives a builtin one another name.
NO_BEHAVIOUR = {'__module__', '__doc__', '__dict__', '__weakref__', '__qualname__', '__firstlineno__', '__static_attributes__'}


def type_name(kind):
    name, module = type.__getattribute__(kind, '__qualname__'), type.__getattribute__(kind, '__module__')
    return name if module in ('builtins', 'candidate', '__main__') else '%s.%s' % (module, name)


# How containers change


def state_of(value):
    """What a container holds, to compare with later."""
    kind = type(value)
    if kind is list:
        return list.copy(value)
    if kind is bytearray:
        return bytes(value)
    if isinstance(value, set):
        return set.copy(value)
    if isinstance(value, dict):
        return [*dict.keys(value), *dict.values(value)]
    fields = getattr(value, '__dict__', None)
    return list(value) if fields is None else [*fields.keys(), *fields.values()]


def is_same(value, before):
    now = value if type(value) is list else state_of(value)
    if type(now) is not list:
        return now == before
    return len(now) == len(before) and all(map(is_, now, before))


def remember(given, value, state):
    """Keeps the last results that can change; both sides keep the same."""
    if type(value) in (list, dict, set):
        given.append([value, state])
        del given[:-MAX_GIVEN]


MAX_GIVEN = 8


def change(value, new):
    """Gives a container the contents of another."""
    if type(value) is not type(new):
        raise Malformed('contents of another type')
    if isinstance(value, dict):
        value.clear()
        for key, part in new.items():
            value[key] = part
    elif isinstance(value, set):
        value.clear()
        value.update(new)
    elif isinstance(value, (list, bytearray)):
        value[:] = new
    elif hasattr(value, '__dict__'):
        value.__dict__.clear()
        value.__dict__.update(new.__dict__)
    else:
        value.clear()
        value.extend(new)


def unfolded(value, sizes, depth=0):
    """Counts the values that a traversal visits if it does not track sharing. Raises NotPlain if there are too many."""
    kind = type(value)
    if not isinstance(value, (list, tuple, set, frozenset, dict)) and kind.__name__ != 'deque':
        return 1
    key = id(value)
    if key in sizes:
        if sizes[key] is None:
            raise NotPlain('data that contains itself')
        return sizes[key]
    sizes[key] = None
    parts = [part for pair in dict.items(value) for part in pair] if isinstance(value, dict) else value
    if depth > MAX_DEPTH:
        raise NotPlain('data nested deeper than %d levels' % MAX_DEPTH)
    count = 1
    for part in parts:
        count += unfolded(part, sizes, depth + 1)
        if count > MAX_UNFOLDED:
            raise NotPlain('shared data that unfolds to more than %d values' % MAX_UNFOLDED)
    sizes[key] = count
    return count

