"""Values of Python as plain data, see value.ts."""

import hashlib
import json

MAX_DEPTH = 20
MAX_LENGTH = 2_000
EXACT = 2**53
COLLECTIONS = {list: 'list', tuple: 'tuple', set: 'set', frozenset: 'frozenset'}


def plain(value, depth=0):
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -EXACT < value < EXACT else ['int', '%d' % value]
    if kind is float:
        return ['float', repr(value)]
    if kind is bytes:
        return ['bytes', value.hex()]
    if depth < MAX_DEPTH:
        if kind in COLLECTIONS:
            items = [plain(item, depth + 1) for item in value]
            return [COLLECTIONS[kind], sorted(items, key=json.dumps) if kind in (set, frozenset) else items]
        # Such as a Counter or a defaultdict, which are equal to a dictionary.
        if kind is dict or (isinstance(value, dict) and kind.__module__ == 'collections'):
            return ['dict', [[plain(key, depth + 1), plain(of, depth + 1)] for key, of in value.items()]]
    return ['other', kind.__name__]


def limited(value):
    """Its beginning and a hash if it is too long to be sent."""
    text = json.dumps(value)
    return value if len(text) <= MAX_LENGTH else ['long', text[:200], hashlib.sha256(text.encode()).hexdigest()]


def real(value):
    """The value that plain data stands for."""
    if type(value) is not list:
        return value
    kind, content = value
    if kind == 'int':
        return int(content)
    if kind == 'float':
        return float(content)
    if kind == 'bytes':
        return bytes.fromhex(content)
    if kind == 'dict':
        return {real(key): real(of) for key, of in content}
    items = [real(item) for item in content]
    return next(make for make, name in COLLECTIONS.items() if name == kind)(items)
