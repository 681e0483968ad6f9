"""Exceptions as plain data and back: the same builtin class, arguments and message on the other side."""

import sys

from wire import Malformed, type_name

MAX_TEXT = 2_000
MAX_NAME = 100
MAX_LINE = 10_000_000

BUILTINS = sys.modules['builtins'].__dict__
EXCEPTIONS = {
    name: kind for name, kind in BUILTINS.items() if isinstance(kind, type) and issubclass(kind, BaseException)
}


def described(error):
    """What crosses of an exception: builtin class, arguments, message, its own class's name, the line in the candidate."""
    kind = type(error)
    builtin = next((base.__name__ for base in kind.__mro__ if EXCEPTIONS.get(base.__name__) is base), 'Exception')
    try:
        message = str(error)[:MAX_TEXT]
    except Exception:
        message = ''
    args = tuple(arg for arg in error.args if type(arg) in (str, int, float, bool, bytes, type(None)))
    if len(args) != len(error.args) or any(type(arg) in (str, bytes) and len(arg) > MAX_TEXT for arg in args):
        args = (message,)
    origin = getattr(error, 'hefix_origin', None)
    if type(origin) is tuple:
        return (builtin, args, message) + origin
    return builtin, args, message, type_name(kind)[:MAX_TEXT], candidate_line(error.__traceback__)


def candidate_line(trace):
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == '<candidate>':
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def rebuilt(builtin, args, message, name, line):
    """The exception again, of this side's own builtin class."""
    if not (type(args) is tuple and type(message) is str and type(name) is str and is_line(line)):
        raise Malformed('not an exception')
    if builtin in ('StopIteration', 'StopAsyncIteration'):
        # It would end a loop over calls in the tests without a sound; PEP 479 does the same for generators.
        error = RuntimeError('the candidate raised %s' % builtin)
    else:
        try:
            error = EXCEPTIONS[builtin](*args)
        except Exception:
            error = Exception(message)
    error.hefix_origin = (name[:MAX_NAME], line)
    return error


def is_line(line):
    return line is None or (type(line) is int and 0 < line < MAX_LINE)
