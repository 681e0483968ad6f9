"""Exceptions as plain data: the class by name, the arguments, the message, and attributes that are plain data.

A builtin class, one of the standard library, or one that the declaration defines becomes the judge's own; any other
becomes a new class with that name and the same builtin base.
"""

import sys

from library_errors import error_name, found_error
from plain import Encoder, Malformed, NotPlain, type_name

MAX_TEXT = 2_000
MAX_NAME = 100
MAX_LINE = 10_000_000
MAX_CAUSES = 4
MAX_ATTRIBUTES = 50

BUILTINS = sys.modules['builtins'].__dict__
EXCEPTIONS = {name: kind for name, kind in BUILTINS.items() if isinstance(kind, type) and issubclass(kind, BaseException)}
# Attributes of OSError, ImportError, NameError and AttributeError.
ATTRIBUTES_IN_C = ('filename', 'filename2', 'name', 'path')


def described(error, declared, causes=0):
    """Plain data that says what an exception is; in the candidate's process."""
    kind = type(error)
    try:
        message = str.__str__(str(error))[:MAX_TEXT]
    except Exception:
        message = ''
    args = error.args if type(error.args) is tuple and is_plain(error.args, declared) else (message,)
    own_classes = [base for base in kind.__mro__[::-1] if name_of(base) is None and base is not object]
    attributes = {key: value for base in own_classes for key, value in vars(base).items() if key[:1] != '_'}
    attributes.update(getattr(error, '__dict__', {}))
    attributes = dict(list(attributes.items())[:MAX_ATTRIBUTES])
    attributes.update((key, getattr(error, key, None)) for key in ATTRIBUTES_IN_C)
    attributes = {key: value for key, value in attributes.items() if type(key) is str and value is not None and is_plain(value, declared)}
    bases = [name_of(base) for base in kind.__mro__]
    name = kind.__name__[:MAX_NAME]
    own = name if bases[0] is None else None
    cause = error.__cause__
    chain = described(cause, declared, causes + 1) if isinstance(cause, BaseException) and causes < MAX_CAUSES else None
    bases = [base for base in bases if base]
    return [own, bases, args, message, type_name(kind)[:MAX_NAME], candidate_line(error.__traceback__), attributes, chain]


def name_of(kind):
    """The module and name of a class that the other side has too, else None."""
    if EXCEPTIONS.get(kind.__name__) is kind:
        return ['builtins', kind.__name__]
    found = error_name(kind) if issubclass(kind, Exception) else None
    return found and list(found)


def is_plain(value, declared):
    encoder = Encoder(declared)
    try:
        return len(encoder.text(value)) <= 64 * MAX_TEXT
    except NotPlain:
        return False


def candidate_line(trace):
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == '<candidate>':
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def rebuilt(parts, declared, causes=0):
    """The exception in the judge's process."""
    own, bases, args, message, name, line, attributes, cause = parts
    if type(args) is not tuple or type(message) is not str or type(name) is not str or not is_line(line) or causes > MAX_CAUSES:
        raise Malformed('not an exception')
    kind = class_of(own, bases, declared)
    try:
        error = kind.__new__(kind, *args)
        builtin = next(base for base in kind.__mro__ if base.__module__ == 'builtins')
        builtin.__init__(error, *args)
    except Exception:
        error = Exception.__new__(Exception)
        args = (message,)
    error.args = args
    for key, value in attributes.items():
        if type(key) is not str or key[:2] == '__' and key != '__notes__' or key.startswith('hefix_'):
            raise Malformed('not an attribute of an exception')
        try:
            BaseException.__setattr__(error, key, value)
        except (AttributeError, TypeError):
            pass
    if cause is not None:
        error.__cause__ = rebuilt(cause, declared, causes + 1)
    error.hefix_origin = (name[:MAX_NAME], line)
    error.hefix_message = message
    return error


def class_of(own, bases, declared):
    if own is not None:
        known = declared.classes.get(own)
        if isinstance(known, type) and issubclass(known, BaseException):
            return known
    for module, name in bases:
        kind = EXCEPTIONS.get(name) if module == 'builtins' else found_error(module, name)
        if kind is not None:
            break
    else:
        raise Malformed('not an exception')
    if own is None:
        return kind
    key = own, kind
    if key not in MADE:
        MADE[key] = type(own, (kind,), {'__module__': 'candidate', '__str__': lambda error: error.hefix_message})
    return MADE[key]


MADE = {}


def is_line(line):
    return line is None or (type(line) is int and 0 < line < MAX_LINE)

