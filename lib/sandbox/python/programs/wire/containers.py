"""Containers that can be sent: their tags, how to create empty ones, and what traversing them costs."""

import sys

from bounds import MAX_DEPTH, MAX_UNFOLDED, TooLarge
from declared import fields_of

CONTAINERS = {list: b'l', set: b'S', dict: b'd', bytearray: b'B'}
COLLECTION_TAGS = {'OrderedDict': b'\x01', 'defaultdict': b'\x02', 'Counter': b'\x03', 'deque': b'\x04'}


def container_tag(kind):
    """The tag of a container from the collections module, by its exact type."""
    tag = COLLECTION_TAGS.get(kind.__name__)
    collections = sys.modules.get('collections')
    return tag if tag and collections and getattr(collections, kind.__name__, None) is kind else None


def empty_collection(name):
    def make(decoder):
        import collections

        if name == 'deque':
            longest = decoder.value(MAX_DEPTH)
            return collections.deque(maxlen=longest if type(longest) is int else None)
        return getattr(collections, name)()

    return make


EMPTY = {
    b'l': lambda decoder: [],
    b'S': lambda decoder: set(),
    b'd': lambda decoder: {},
    b'B': lambda decoder: bytearray(),
}
EMPTY.update((tag, empty_collection(name)) for name, tag in COLLECTION_TAGS.items())

VIEWS = {type({}.keys()): b'k', type({}.values()): b'v', type({}.items()): b'm'}
VIEW_OF = {b'k': dict.keys, b'v': dict.values, b'm': dict.items}


def unfolded(value, sizes, declared=(), depth=0):
    """Counts the values that a traversal visits if it does not track sharing. Raises TooLarge if there are too many."""
    kind = type(value)
    if kind in (tuple, frozenset) or kind in VIEWS:
        key = None
    elif kind in CONTAINERS or container_tag(kind) or kind in declared:
        key = id(value)
        if key in sizes:
            return sizes[key]
        # A container that contains itself ends in a RecursionError.
        sizes[key] = 1
    else:
        return 1
    parts = fields_of(value).values() if kind in declared else value
    if isinstance(value, dict):
        parts = [part for pair in value.items() for part in pair]
    count = 1
    if kind is not bytearray and depth < MAX_DEPTH:
        for part in parts:
            count += unfolded(part, sizes, declared, depth + 1)
            if count > MAX_UNFOLDED:
                raise TooLarge('shared data that unfolds to more than %d values' % MAX_UNFOLDED)
    if key is not None:
        sizes[key] = count
    return count
