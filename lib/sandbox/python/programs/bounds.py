"""How much may cross in one message, and the errors for what may not."""

MAX_BYTES = 8 * 1024 * 1024
MAX_VALUES = 500_000
MAX_DEPTH = 200
MAX_BITS = 4_000_000
MAX_RANGE = 5_000_000
# How many values a message may have, each shared container counted wherever it stands: what `==` and sorting may visit.
MAX_UNFOLDED = 5_000_000


class Unsendable(Exception):
    """The value cannot cross: its message says which part of it, and why."""


class TooLarge(Unsendable):
    """It is plain data, but too much of it."""


class Malformed(Exception):
    """The bytes are not a message."""


def checked_range(value):
    """A range that a loop in C (`sum`, `list`, `in`) gets to the end of."""
    if not -MAX_RANGE <= value.start - value.stop <= MAX_RANGE * abs(value.step):
        raise TooLarge('a range of more than %d numbers' % MAX_RANGE)
    return value
