"""Values of the standard library that cross by value: the parts they are taken to and built from."""

import sys


def by_value(value, kind):
    """The tag and parts of a standard library value, or None. Its module is loaded if there is such a value."""
    module = sys.modules.get(kind.__module__)
    if module is None or getattr(module, kind.__name__, None) is not kind:
        return None
    name = (kind.__module__, kind.__name__)
    if name == ('decimal', 'Decimal'):
        return b'D', (str(value),)
    if name == ('fractions', 'Fraction'):
        return b'Q', (value.numerator, value.denominator)
    if name == ('datetime', 'date'):
        return b'\x10', (value.year, value.month, value.day)
    if name == ('datetime', 'time'):
        return b'\x11', (value.hour, value.minute, value.second, value.microsecond, value.tzinfo, value.fold)
    if name == ('datetime', 'datetime'):
        day = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        return b'\x12', day + (value.microsecond, value.tzinfo, value.fold)
    if name == ('datetime', 'timedelta'):
        return b'\x13', (value.days, value.seconds, value.microseconds)
    if name == ('datetime', 'timezone'):
        return b'\x14', (value.utcoffset(None), value.tzname(None))
    return None


def build_decimal(text):
    from decimal import Decimal

    return Decimal(text)


def build_fraction(numerator, denominator):
    from fractions import Fraction

    return Fraction(numerator, denominator)


def build_date(*parts):
    import datetime

    return datetime.date(*parts)


def build_time(*parts):
    import datetime

    return datetime.time(*parts[:5], fold=parts[5])


def build_datetime(*parts):
    import datetime

    return datetime.datetime(*parts[:8], fold=parts[8])


def build_timedelta(*parts):
    import datetime

    return datetime.timedelta(*parts)


def build_timezone(offset, name):
    import datetime

    return datetime.timezone(offset) if datetime.timezone(offset).tzname(None) == name else datetime.timezone(offset, name)


LIBRARY = {
    b'D': (1, build_decimal),
    b'Q': (2, build_fraction),
    b'\x10': (3, build_date),
    b'\x11': (6, build_time),
    b'\x12': (9, build_datetime),
    b'\x13': (3, build_timedelta),
    b'\x14': (2, build_timezone),
}
