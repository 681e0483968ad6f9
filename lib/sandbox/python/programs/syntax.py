"""Parses programs without running them, one after the other.

Request: a text after its 32-bit length. Reply: an empty line if it parses, else the line's number and the message.
"""

import os
import sys
from struct import unpack

from confine import confine


def main():
    confine()
    while True:
        length = unpack('<I', read(4))[0]
        os.write(1, (fault(read(length).decode()) + '\n').encode())


def fault(source):
    try:
        compile(source, '<candidate>', 'exec', dont_inherit=True)
        return ''
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        line = getattr(error, 'lineno', None) or 1
        message = getattr(error, 'msg', None) or str(error) or type(error).__name__
        return '%d %s' % (line, ' '.join(str(message).split())[:600])


def read(length):
    data = b''
    while len(data) < length:
        piece = os.read(0, length - len(data))
        if not piece:
            sys.exit()
        data += piece
    return data
