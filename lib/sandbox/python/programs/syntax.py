"""Parses programs one after another without running them.

Requests and replies are messages: a length of four bytes, little-endian, and a text. The request is a program; the
reply is empty if it parses, else a line number and a sentence.
"""

import os
import sys
from struct import pack, unpack

from confine import confine


def main():
    confine()
    while True:
        length = unpack('<I', read(4))[0]
        reply = fault(read(length).decode()).encode()
        os.write(1, pack('<I', len(reply)) + reply)


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
