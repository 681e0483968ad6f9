"""Limits of a single message, and the errors for values that cannot be sent."""

MAX_BYTES = 8 * 1024 * 1024
MAX_VALUES = 500_000
MAX_DEPTH = 200
MAX_BITS = 4_000_000
MAX_RANGE = 5_000_000
# Values per message. A shared container counts each time it appears, as `==` and sorting visit it each time.
MAX_UNFOLDED = 5_000_000


class Unsendable(Exception):
    """The value cannot be sent; the message says which part of it and why."""


class TooLarge(Unsendable):
    """The value is plain data, but too large."""


class Malformed(Exception):
    """The bytes are not a valid message."""


def checked_range(value):
    """Returns the range, or raises TooLarge if a loop in C (`sum`, `list`, `in`) could take too long over it."""
    if not -MAX_RANGE <= value.start - value.stop <= MAX_RANGE * abs(value.step):
        raise TooLarge('a range of more than %d numbers' % MAX_RANGE)
    return value
