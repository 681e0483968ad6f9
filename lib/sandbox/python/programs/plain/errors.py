"""Exceptions as plain data: the class by name, the arguments and the message.

A builtin class becomes the judge's own; any other becomes a new class with that name and the same builtin base.
"""

import sys

from plain import Encoder, Malformed, NotPlain, type_name

MAX_TEXT = 2_000
MAX_NAME = 100
MAX_LINE = 10_000_000

BUILTINS = sys.modules['builtins'].__dict__
EXCEPTIONS = {name: kind for name, kind in BUILTINS.items() if isinstance(kind, type) and issubclass(kind, BaseException)}


def described(error, declared):
    """Plain data that says what an exception is; in the candidate's process."""
    kind = type(error)
    try:
        message = str.__str__(str(error))[:MAX_TEXT]
    except Exception:
        message = ''
    args = error.args if type(error.args) is tuple and is_plain(error.args, declared) else (message,)
    base = next(base for base in kind.__mro__ if EXCEPTIONS.get(base.__name__) is base)
    own = None if base is kind else kind.__name__[:MAX_NAME]
    return [own, base.__name__, args, message, type_name(kind)[:MAX_NAME], candidate_line(error.__traceback__)]


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


def rebuilt(parts):
    """The exception in the judge's process."""
    own, base, args, message, name, line = parts
    if type(args) is not tuple or type(message) is not str or type(name) is not str or not is_line(line):
        raise Malformed('not an exception')
    kind = class_of(own, base)
    try:
        error = kind.__new__(kind, *args)
        EXCEPTIONS[base].__init__(error, *args)
    except Exception:
        error = Exception.__new__(Exception)
        args = (message,)
    error.args = args
    error.hefix_origin = (name[:MAX_NAME], line)
    error.hefix_message = message
    return error


def class_of(own, base):
    if base not in EXCEPTIONS:
        raise Malformed('not an exception')
    if own is None:
        return EXCEPTIONS[base]
    key = own, base
    if key not in MADE:
        MADE[key] = type(own, (EXCEPTIONS[base],), {'__module__': 'candidate', '__str__': lambda error: error.hefix_message})
    return MADE[key]


MADE = {}


def is_line(line):
    return line is None or (type(line) is int and 0 < line < MAX_LINE)

