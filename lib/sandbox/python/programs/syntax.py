"""Parses programs one after another without running them.

Requests and replies are messages: a length of four bytes, little-endian, and a text. The request is a program; the
reply is empty if it parses, else a line number and a sentence.
"""

from confine import confine
from frames import give, take


def main():
    confine()
    while True:
        give(1, fault(take(0).decode()).encode())


def fault(source):
    try:
        compile(source, '<candidate>', 'exec', dont_inherit=True)
        return ''
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        line = getattr(error, 'lineno', None) or 1
        message = getattr(error, 'msg', None) or str(error) or type(error).__name__
        return '%d %s' % (line, ' '.join(str(message).split())[:600])
