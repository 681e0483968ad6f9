"""Representations that are short enough for prompts and records, regardless of the size of the value."""

MAX_LENGTH = 240
MAX_ITEMS = 60
MAX_VALUES = 600
MAX_DEPTH = 8
MAX_BITS = 400


def shorten(value, limit=MAX_LENGTH):
    text = Shown().show(value, 0)
    return text if len(text) <= limit else text[: limit - 1] + '…'


class Shown:
    def __init__(self):
        # Shared references make a small value exponentially large when it is written out.
        self.left = MAX_VALUES

    def show(self, value, depth):
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            return '…'
        kind = type(value)
        if kind is int:
            # Converting a huge integer takes quadratic time, and newer Pythons refuse to do it.
            return repr(value) if value.bit_length() < MAX_BITS else 'an integer of %d bits' % value.bit_length()
        if kind is str or kind is bytes:
            if len(value) <= MAX_LENGTH:
                return repr(value)
            return '%r… (%d in all)' % (value[: MAX_LENGTH // 2], len(value))
        if kind is list:
            return '[%s]' % self.items(value, depth)
        if kind is tuple:
            return '(%s%s)' % (self.items(value, depth), ',' if len(value) == 1 else '')
        if kind is set or kind is frozenset:
            if not value:
                return repr(value)
            # Sorted, because the order of a set is arbitrary and records should be the same every time.
            inside = ', '.join(sorted(self.items([item], depth) for item in first(value)))
            return '{%s}' % inside if kind is set else 'frozenset({%s})' % inside
        if kind is dict:
            return '{%s}' % self.pairs(value, depth)
        if isinstance(value, dict):
            return '%s({%s})' % (kind.__name__, self.pairs(value, depth))
        if kind.__name__ == 'deque':
            return 'deque([%s])' % self.items(value, depth)
        try:
            return without_addresses(repr(value)[: 2 * MAX_LENGTH])
        except Exception:
            return 'a value of type %s' % kind.__name__

    def items(self, values, depth):
        shown = [self.show(item, depth + 1) for item in first(values)]
        return ', '.join(shown + ['…'] * (len(values) > MAX_ITEMS))

    def pairs(self, values, depth):
        shown = ['%s: %s' % (self.show(key, depth + 1), self.show(item, depth + 1)) for key, item in first(values.items())]
        return ', '.join(shown + ['…'] * (len(values) > MAX_ITEMS))


def without_addresses(text):
    """Removes addresses, because records should be the same every time."""
    for sign, digits in ((' at 0x', '0123456789abcdef'), (" id='", "0123456789'")):
        before, found, after = text.partition(sign)
        if found:
            return before + without_addresses(after.lstrip(digits))
    return text


def first(values):
    return [item for item, _ in zip(values, range(MAX_ITEMS))]
