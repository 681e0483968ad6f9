"""Exceptions as plain data and back.

The class is sent as a reference (see functions.py): a builtin class becomes the other side's own, and a class of the
candidate becomes a stand-in with the same builtin bases. Arguments, attributes, cause, context and notes are sent if
they are plain data; the side that raised the exception answers questions about the rest.
"""

import sys

from bounds import Malformed, Unsendable
from wire import type_name

MAX_TEXT = 2_000
MAX_NAME = 100
MAX_LINE = 10_000_000
MAX_CAUSES = 4
MAX_ATTRIBUTES = 50
MAX_NOTES = 20

BUILTINS = sys.modules['builtins'].__dict__
EXCEPTIONS = {
    name: kind for name, kind in BUILTINS.items() if isinstance(kind, type) and issubclass(kind, BaseException)
}
OWN = 'hefix_'
# Attributes of OSError, ImportError, NameError and AttributeError.
ATTRIBUTES_IN_C = ('filename', 'filename2', 'name', 'path')


def described(error, peer, causes=0):
    """The parts of an exception that are sent; see `rebuilt`."""
    home = peer.number_at_home(error)
    if home is not None:
        return ('home', home)
    kind = type(error)
    try:
        message = str(error)[:MAX_TEXT]
    except Exception:
        message = ''
    args = error.args if type(error.args) is tuple and crosses(error.args, peer) else (message,)
    name, line = getattr(error, OWN + 'origin', None) or (type_name(kind)[:MAX_NAME], candidate_line(error.__traceback__))
    attributes = {}
    for key, value in list(getattr(error, '__dict__', {}).items())[:MAX_ATTRIBUTES]:
        if type(key) is str and not key.startswith(('__', OWN)) and crosses(value, peer):
            attributes[key] = value
    for key in ATTRIBUTES_IN_C:
        value = getattr(error, key, None)
        if type(value) is str and key not in attributes:
            attributes[key] = value[:MAX_TEXT]
    notes = getattr(error, '__notes__', None)
    notes = [note for note in notes if type(note) is str][:MAX_NOTES] if type(notes) is list else []
    chain = [None, None]
    if causes < MAX_CAUSES:
        for place, other in enumerate((error.__cause__, error.__context__)):
            if isinstance(other, BaseException) and other is not error:
                chain[place] = described(other, peer, causes + 1)
    number = peer.lend_exception(error)
    return (
        'error', peer.class_of_exception(kind), args, message, name, line, attributes, notes, *chain,
        error.__suppress_context__, number,
    )  # fmt: skip


def crosses(value, peer):
    """Whether a value is plain data of moderate size."""
    from heap import Heap
    from wire import Encoder

    encoder = Encoder(Heap(), peer)
    try:
        encoder.value(value)
    except Unsendable:
        return False
    return len(encoder.out) <= 64 * MAX_TEXT


def candidate_line(trace):
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == '<candidate>':
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def rebuilt(parts, peer, causes=0):
    """The exception as this side's own class, or as a stand-in for the other side's class."""
    if type(parts) is not tuple or not parts or causes > MAX_CAUSES:
        raise Malformed('not an exception')
    if parts[0] == 'home' and len(parts) == 2:
        error = peer.lent_exception(parts[1])
        return error
    if parts[0] != 'error' or len(parts) != 12:
        raise Malformed('not an exception')
    _, kind, args, message, name, line, attributes, notes, cause, context, suppress, number = parts
    plain = type(args) is tuple and type(message) is str and type(name) is str and is_line(line)
    if not plain or type(attributes) is not dict or type(notes) is not list or not peer.may_be_raised(kind):
        raise Malformed('not an exception')
    error = made(kind, args, message)
    for key, value in attributes.items():
        if type(key) is not str or key.startswith(('__', OWN)):
            raise Malformed('not an attribute of an exception')
        try:
            BaseException.__setattr__(error, key, value)
        except (AttributeError, TypeError):
            pass
    if all(type(note) is str for note in notes) and notes:
        error.__notes__ = notes
    if context is not None:
        error.__context__ = rebuilt(context, peer, causes + 1)
    if cause is not None:
        error.__cause__ = rebuilt(cause, peer, causes + 1)
    error.__suppress_context__ = suppress is True
    error.hefix_origin = (name[:MAX_NAME], line)
    error.hefix_message = message
    peer.borrow_exception(error, number)
    return error


def made(kind, args, message):
    try:
        error = kind.__new__(kind, *args)
        builtin = next(base for base in kind.__mro__ if base.__module__ == 'builtins')
        builtin.__init__(error, *args)
        error.args = args
        return error
    except Exception:
        error = Exception.__new__(Exception)
        error.args = (message,)
        return error


def is_line(line):
    return line is None or (type(line) is int and 0 < line < MAX_LINE)
