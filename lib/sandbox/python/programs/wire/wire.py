"""Encodes and decodes plain data, by value.

Both processes of an execution use only this encoding: no pickle, no marshal, no eval.
Only exact types can be sent; instances of subclasses and anything else that is not plain data raise Unsendable.
The decoder trusts nothing: it checks every length, tag, depth and count before using it.

A value is one tag byte and its payload; lengths and counts are unsigned 32-bit little-endian integers.
Sender and receiver number mutable containers in the order in which they meet them (see heap.py), so that shared and
cyclic references, returned arguments and kept results keep their identity.
"""

import sys
from gc import get_referents
from struct import pack, unpack_from

from bounds import MAX_BITS, MAX_BYTES, MAX_DEPTH, MAX_VALUES, Malformed, TooLarge, Unsendable, checked_range
from containers import COLLECTION_TAGS, CONTAINERS, EMPTY, VIEW_OF, VIEWS, container_tag
from declared import fields_of, is_hashed, set_fields
from heap import MAX_SHARED
from library_values import LIBRARY, by_value

NAMED_TYPES = {
    kind.__name__: kind
    for kind in (
        bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range, object, type
    )
}
NAMED_TYPES.update(
    (name, kind)
    for name, kind in vars(sys.modules['builtins']).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)


class Encoder:
    def __init__(self, heap, references):
        self.out = bytearray()
        self.heap = heap
        self.references = references
        self.declared = references.declared
        self.count = 0
        self.depth = 0
        self.later = []  # numbers of instances whose fields come after the payload

    def size(self, number):
        self.out += pack('<I', number)

    def value(self, value):
        self.count += 1
        if self.count > MAX_VALUES:
            raise TooLarge('more than %d values' % MAX_VALUES)
        if len(self.out) > MAX_BYTES:
            raise TooLarge('more than %d bytes' % MAX_BYTES)
        kind = type(value)
        if self.heap.identity or kind is float and value != value:
            if kind not in SINGLE and not is_small(value) and not (kind in CONTAINERS or container_tag(kind)):
                return self.kept(value, kind)
        self.plain(value, kind)

    def kept(self, value, kind):
        """An immutable value that is known by its identity: the tests use `is`, or it is a NaN."""
        name = nan_name(value) if kind is float else None
        if name is not None:
            self.out += b'~' + name
        elif id(value) in self.heap.kept_numbers:
            self.out += b'='
            self.size(self.heap.kept_numbers[id(value)])
        elif kind in KEPT or by_value(value, kind):
            self.out += b'+'
            self.plain(value, kind)
            self.heap.keep(value)
        else:
            self.plain(value, kind)

    def plain(self, value, kind):
        write = SCALARS.get(kind)
        if write is not None:
            write(self, value)
            return
        number = self.heap.numbers.get(id(value))
        if number is not None:
            self.out += b'R'
            self.size(number)
            return
        if self.depth >= MAX_DEPTH:
            raise TooLarge('data nested deeper than %d levels' % MAX_DEPTH)
        self.depth += 1
        if kind is tuple or kind is frozenset:
            self.out += b't' if kind is tuple else b'z'
            self.items(value)
        elif kind in CONTAINERS or container_tag(kind):
            if len(self.heap.items) >= MAX_SHARED:
                raise TooLarge('more than %d lists, sets and dicts' % MAX_SHARED)
            self.heap.add(value)
            self.contents(value)
        elif kind in self.declared.kinds:
            self.instance(value, kind)
        else:
            self.other(value, kind)
        self.depth -= 1

    def contents(self, container):
        """The contents of a mutable container, whether or not the other side knows the container already."""
        kind = type(container)
        if kind in self.declared.kinds:
            self.out += b'j'
            container = fields_of(container)
            kind = dict
        else:
            self.out += CONTAINERS.get(kind) or container_tag(kind)
        if kind is bytearray:
            self.blob(container)
        elif isinstance(container, dict):
            if kind is not dict and kind.__name__ == 'defaultdict':
                self.value(container.default_factory)
            self.size(len(container))
            for key, item in container.items():
                self.value(key)
                self.value(item)
        else:
            if kind.__name__ == 'deque':
                self.value(container.maxlen)
            self.items(container)

    def instance(self, value, kind):
        """An instance of a declared class, which both sides have."""
        how = self.declared.kinds[kind]
        if how == 'error':
            return self.other(value, kind)
        if how == 'object':
            if len(self.heap.items) >= MAX_SHARED:
                raise TooLarge('more than %d objects' % MAX_SHARED)
            self.heap.add(value)
        hashed = is_hashed(kind)
        self.out += b'U' if how == 'tuple' else b'e' if how == 'enum' else b'K' if hashed else b'J'
        self.value(self.declared.names[kind])
        if how == 'tuple':
            self.items(value)
        elif how == 'enum':
            named = kind.__members__.get(value.name) is value
            self.value(named)
            self.value(value.name if named else value._value_)
        elif hashed:
            self.contents(value)
        else:
            self.later.append(self.heap.numbers[id(value)])

    def items(self, values):
        if len(values) > MAX_VALUES:
            raise TooLarge('more than %d values' % MAX_VALUES)
        self.size(len(values))
        for item in values:
            self.value(item)

    def blob(self, data):
        if len(data) > MAX_BYTES:
            raise TooLarge('more than %d bytes' % MAX_BYTES)
        self.size(len(data))
        self.out += data

    def other(self, value, kind):
        if kind in VIEWS:
            self.out += VIEWS[kind]
            # The dict itself, so that the view still follows its changes.
            self.value(get_referents(value)[0])
            return
        library = by_value(value, kind)
        if library is not None:
            tag, parts = library
            self.out += tag
            for part in parts:
                self.value(part)
            return
        if kind is type and NAMED_TYPES.get(value.__name__) is value:
            self.out += b'n'
            self.value(value.__name__)
            return
        reference = self.references.outgoing(value)
        if reference is None:
            raise Unsendable('a value of type %s' % type_name(kind))
        tag, number = reference
        self.out += tag
        self.value(number)


class Decoder:
    def __init__(self, data, heap, references):
        self.data = data
        self.at = 0
        self.heap = heap
        self.shares = False  # whether a container was named more than once
        self.references = references
        self.declared = references.declared
        self.count = 0

    def take(self, length):
        start = self.at
        if length > len(self.data) - start:
            raise Malformed('the message ends early')
        self.at = start + length
        return self.data[start : self.at]

    def size(self):
        return unpack_from('<I', self.take(4))[0]

    def known(self):
        """A container that both sides know, or that this message already introduced."""
        self.shares = True
        return self.heap.items[self.size()]

    def integer(self):
        length = self.size()
        if length > MAX_BITS // 8 + 1:
            raise TooLarge('an integer of more than %d bits' % MAX_BITS)
        return int.from_bytes(self.take(length), 'little', signed=True)

    def item_count(self):
        number = self.size()
        # Every item takes at least one byte; a larger count is false and would only cost memory.
        if number > len(self.data) - self.at:
            raise Malformed('more items than bytes')
        return number

    def value(self, depth=0):
        self.count += 1
        if self.count > MAX_VALUES or depth > MAX_DEPTH:
            raise Malformed('more or deeper data than allowed')
        tag = self.take(1)
        if tag == b'+':
            value = self.value(depth)
            self.heap.keep(value)
            return value
        read = READERS.get(tag)
        if read is not None:
            return read(self)
        if tag == b't' or tag == b'z':
            items = [self.value(depth + 1) for _ in range(self.item_count())]
            return tuple(items) if tag == b't' else frozenset(items)
        if tag in EMPTY:
            container = EMPTY[tag](self)
            if len(self.heap.items) >= MAX_SHARED:
                raise Malformed('more than %d lists, sets and dicts' % MAX_SHARED)
            self.heap.add(container)
            self.fill(container, tag, depth)
            return container
        if tag in (b'J', b'K', b'U', b'e'):
            return self.instance(tag, self.declared.named(self.value(MAX_DEPTH)), depth)
        if tag in VIEW_OF:
            mapping = self.value(depth + 1)
            if type(mapping) is not dict:
                raise Malformed('a view of what is no dict')
            return VIEW_OF[tag](mapping)
        if tag in LIBRARY:
            parts, build = LIBRARY[tag]
            return build(*[self.value(depth + 1) for _ in range(parts)])
        return self.references.incoming(tag, self.value(depth + 1))

    def instance(self, tag, kind, depth):
        if self.declared.kinds[kind] != {b'U': 'tuple', b'e': 'enum'}.get(tag, 'object'):
            raise Malformed('an instance of another kind')
        if tag == b'U':
            items = [self.value(depth + 1) for _ in range(self.item_count())]
            if len(items) != len(kind._fields):
                raise Malformed('a tuple of another length')
            return tuple.__new__(kind, items)
        if tag == b'e':
            named, member = self.value(MAX_DEPTH), self.value(depth + 1)
            return kind.__members__[member] if named else kind(member)
        value = object.__new__(kind)
        if len(self.heap.items) >= MAX_SHARED:
            raise Malformed('more than %d objects' % MAX_SHARED)
        self.heap.add(value)
        if tag == b'K':
            self.contents(value)
        return value

    def fields(self, value):
        found = {}
        for _ in range(self.item_count()):
            name = self.value(MAX_DEPTH)
            found[name] = self.value()
        set_fields(value, found)

    def fill(self, container, tag, depth):
        if tag == b'B':
            container[:] = self.take(self.size())
        elif tag in (b'd', b'\x01', b'\x02', b'\x03'):
            if tag == b'\x02':
                container.default_factory = self.value(depth + 1)
            for _ in range(self.item_count()):
                key = self.value(depth + 1)
                container[key] = self.value(depth + 1)
        elif tag == b'S':
            for _ in range(self.item_count()):
                container.add(self.value(depth + 1))
        else:
            for _ in range(self.item_count()):
                container.append(self.value(depth + 1))

    def contents(self, container):
        """Replaces the contents of a container that both sides already know."""
        tag = self.take(1)
        kind = type(container)
        if kind in self.declared.kinds and tag == b'j':
            return self.fields(container)
        if tag not in EMPTY or tag != (CONTAINERS.get(kind) or container_tag(kind)):
            raise Malformed('contents of another type')
        if tag == COLLECTION_TAGS['deque']:
            self.value(MAX_DEPTH)
        container.clear()
        self.fill(container, tag, 0)


SINGLE = (type(None), bool, type(...), type(NotImplemented))
KEPT = (int, float, complex, str, bytes, tuple, frozenset, range)
NANS = {b'm': 'math', b'n': 'numpy'}


def is_small(value):
    """Whether Python has only one object for this value."""
    if type(value) is int:
        return -5 <= value <= 256
    return type(value) in (str, bytes, tuple) and (not value or len(value) == 1 and type(value) is not tuple)


def nan_name(value):
    return next((name for name, module in NANS.items() if getattr(sys.modules.get(module), 'nan', None) is value), None)


def write_int(encoder, value):
    # One operation on larger integers could take longer than an execution may, and nothing could interrupt it.
    if -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        encoder.out += b'i' + pack('<q', value)
    else:
        if value.bit_length() > MAX_BITS:
            raise TooLarge('an integer of more than %d bits' % MAX_BITS)
        encoder.out += b'I'
        encoder.blob(value.to_bytes(value.bit_length() // 8 + 1, 'little', signed=True))


def write_float(encoder, value):
    encoder.out += b'f' + pack('<d', value)


def write_complex(encoder, value):
    encoder.out += b'c' + pack('<dd', value.real, value.imag)


def write_str(encoder, value):
    encoder.out += b's'
    encoder.blob(value.encode('utf-8', 'surrogatepass'))


def write_bytes(encoder, value):
    encoder.out += b'b'
    encoder.blob(value)


def write_range(encoder, value):
    checked_range(value)
    encoder.out += b'r'
    for number in (value.start, value.stop, value.step):
        write_int(encoder, number)


def constant(tag):
    def write(encoder, _value):
        encoder.out += tag

    return write


SCALARS = {
    type(None): constant(b'N'),
    type(...): constant(b'.'),
    type(NotImplemented): constant(b'!'),
    bool: lambda encoder, value: constant(b'T' if value else b'F')(encoder, value),
    int: write_int,
    float: write_float,
    complex: write_complex,
    str: write_str,
    bytes: write_bytes,
    range: write_range,
}

READERS = {
    b'N': lambda decoder: None,
    b'.': lambda decoder: ...,
    b'!': lambda decoder: NotImplemented,
    b'T': lambda decoder: True,
    b'F': lambda decoder: False,
    b'i': lambda decoder: unpack_from('<q', decoder.take(8))[0],
    b'I': lambda decoder: decoder.integer(),
    b'f': lambda decoder: unpack_from('<d', decoder.take(8))[0],
    b'c': lambda decoder: complex(*unpack_from('<dd', decoder.take(16))),
    b's': lambda decoder: str(decoder.take(decoder.size()), 'utf-8', 'surrogatepass'),
    b'b': lambda decoder: bytes(decoder.take(decoder.size())),
    b'r': lambda decoder: checked_range(range(*[read_int(decoder) for _ in range(3)])),
    b'R': lambda decoder: decoder.known(),
    b'=': lambda decoder: decoder.heap.kept[decoder.size()],
    b'~': lambda decoder: getattr(__import__(NANS[bytes(decoder.take(1))]), 'nan'),
    b'n': lambda decoder: NAMED_TYPES[decoder.value(MAX_DEPTH)],
}


def read_int(decoder):
    tag = decoder.take(1)
    if tag != b'i' and tag != b'I':
        raise Malformed('not an integer')
    return READERS[tag](decoder)


def type_name(kind):
    return kind.__qualname__ if kind.__module__ in ('builtins', 'candidate', '__main__') else '%s.%s' % (kind.__module__, kind.__qualname__)
