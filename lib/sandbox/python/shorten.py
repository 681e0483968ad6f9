"""Representations short enough for a prompt and a record, whatever the size of the value."""

MAX_LENGTH = 240
MAX_ITEMS = 60
MAX_DIGITS = 120


def shorten(value, limit=MAX_LENGTH):
    text = show(value, 0)
    return text if len(text) <= limit else text[: limit - 1] + '…'


def show(value, depth):
    kind = type(value)
    if kind is int:
        # The digits of a huge integer take quadratic time, and newer Pythons refuse to give them.
        return repr(value) if value.bit_length() < MAX_DIGITS * 3 else 'an integer of %d bits' % value.bit_length()
    if kind is str or kind is bytes:
        if len(value) <= MAX_LENGTH:
            return repr(value)
        return '%r… (%d in all)' % (value[:MAX_LENGTH // 2], len(value))
    if depth > 8:
        return '…'
    if kind is list:
        return '[' + items(value, depth) + ']'
    if kind is tuple:
        return '(' + items(value, depth) + (',)' if len(value) == 1 else ')')
    if kind is set or kind is frozenset:
        if not value:
            return repr(value)
        # Sorted, because the order of a set is an accident and records should be the same every time.
        inside = ', '.join(sorted(show(item, depth + 1) for item in value)[:MAX_ITEMS])
        return '{%s}' % inside if kind is set else 'frozenset({%s})' % inside
    if kind is dict:
        pairs = [
            '%s: %s' % (show(key, depth + 1), show(item, depth + 1)) for key, item in first(value.items())
        ]
        return '{' + ', '.join(pairs) + (', …' if len(value) > MAX_ITEMS else '') + '}'
    try:
        return repr(value)[: 2 * MAX_LENGTH]
    except Exception:
        return 'a value of type %s' % kind.__name__


def items(values, depth):
    return ', '.join([show(item, depth + 1) for item in first(values)] + ['…'] * (len(values) > MAX_ITEMS))


def first(values):
    return [item for item, _ in zip(values, range(MAX_ITEMS))]
