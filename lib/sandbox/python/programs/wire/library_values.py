"""Values of the standard library that are sent by value: how they are taken apart and rebuilt."""

import sys


def by_value(value, kind):
    """The tag and parts of a standard library value, or None. If there is such a value, its module is loaded."""
    module = sys.modules.get(kind.__module__)
    if module is None or getattr(module, kind.__name__, None) is not kind:
        return None
    name = (kind.__module__, kind.__name__)
    if name == ('builtins', 'slice'):
        return b'\x15', (value.start, value.stop, value.step)
    if name == ('builtins', 'memoryview') and value.readonly and value.format == 'B' and value.contiguous and value.ndim == 1:
        return b'\x16', (bytes(value),)
    if name == ('uuid', 'UUID'):
        return b'\x17', (value.int,)
    if kind.__module__.startswith('pathlib') and kind.__name__ in ('PosixPath', 'PurePosixPath'):
        return b'\x18', (kind.__name__, str(value))
    if name == ('decimal', 'Decimal'):
        return b'D', (str(value),)
    if name == ('fractions', 'Fraction'):
        return b'Q', (int(value.numerator), int(value.denominator))
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


# Larger values could take a C operation, which cannot be interrupted, longer than an execution may last.
MAX_DIGITS = 10_000
MAX_EXPONENT = 100_000
MAX_FRACTION_BITS = 16_384


def build_decimal(text):
    from decimal import Decimal

    if type(text) is not str or len(text) > MAX_DIGITS:
        raise ValueError('a Decimal of more than %d digits' % MAX_DIGITS)
    value = Decimal(text)
    if value.is_finite() and abs(value.adjusted()) > MAX_EXPONENT:
        raise ValueError('a Decimal with an exponent beyond %d' % MAX_EXPONENT)
    return value


def build_fraction(numerator, denominator):
    from fractions import Fraction

    if type(numerator) is not int or type(denominator) is not int:
        raise ValueError('a Fraction of what are not integers')
    if max(numerator.bit_length(), denominator.bit_length()) > MAX_FRACTION_BITS:
        raise ValueError('a Fraction of integers of more than %d bits' % MAX_FRACTION_BITS)
    value = Fraction(numerator, denominator)
    if value.denominator != denominator:
        raise ValueError('a Fraction that is not in lowest terms')
    return value


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


def build_memoryview(data):
    if type(data) is not bytes:
        raise ValueError('a view of what are not bytes')
    return memoryview(data)


def build_uuid(number):
    import uuid

    return uuid.UUID(int=number)


def build_path(kind, text):
    import pathlib

    if kind not in ('PosixPath', 'PurePosixPath') or type(text) is not str:
        raise ValueError('not a path')
    return getattr(pathlib, kind)(text)


LIBRARY = {
    b'\x17': (1, build_uuid),
    b'\x18': (2, build_path),
    b'\x15': (3, slice),
    b'\x16': (1, build_memoryview),
    b'D': (1, build_decimal),
    b'Q': (2, build_fraction),
    b'\x10': (3, build_date),
    b'\x11': (6, build_time),
    b'\x12': (9, build_datetime),
    b'\x13': (3, build_timedelta),
    b'\x14': (2, build_timezone),
}
