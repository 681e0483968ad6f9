"""What an entry point and its results may be. The tests and the task's declaration say so, never the candidate."""


def may_be_class(name, declared, program):
    """Whether an entry point's class is what the tests are about. `declared` is the declaration's own value."""
    if declared is not None:
        return isinstance(declared, type)
    return name.lstrip('_')[:1].isupper() or name in program.classes


def returns_plain_data(declared):
    """Whether the declaration annotates a function's result as plain data: `-> float`, `-> List[int]`."""
    if not hasattr(declared, '__code__') or declared.__code__.co_flags & GENERATORS:
        return False
    annotations = declared.__annotations__
    return 'return' in annotations and is_plain(annotations['return'])


GENERATORS = 0x20 | 0x80 | 0x200
PLAIN = (int, float, complex, str, bytes, bool, list, dict, set, tuple, frozenset, type(None))


def is_plain(annotation):
    if annotation is None or annotation in PLAIN:
        return True
    origin = getattr(annotation, '__origin__', None)
    is_union = type(annotation).__name__ in ('UnionType', 'Union') or getattr(origin, '_name', '') == 'Union'
    if not is_union and origin not in PLAIN:
        return False
    return all(part is ... or is_plain(part) for part in getattr(annotation, '__args__', ()))


def holds(value, kinds, depth=0):
    """Whether a value, or a part of a container, is of one of these classes."""
    if isinstance(value, kinds):
        return True
    if not isinstance(value, (list, tuple, set, frozenset, dict)) or depth > MAX_DEPTH:
        return False
    parts = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    return any(holds(part, kinds, depth + 1) for part in parts)


MAX_DEPTH = 50
