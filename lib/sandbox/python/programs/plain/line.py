"""The byte stream between judge and candidate, and how a conversation over it ends."""

import os
from _thread import stack_size
from struct import pack, unpack

MAX_MESSAGE_BYTES = 16 * 1024 * 1024


class Fatal(BaseException):
    """Ends the conversation. Never sent; code of the tests or the candidate should not be able to swallow it."""


class Lost(Fatal):
    """The other process has exited."""


class Refused(Fatal):
    """The other process sent something invalid or unsendable."""


class Line:
    """Messages over the stream of descriptor `self.channel`."""

    def send(self, body):
        data = memoryview(pack('<I', len(body)) + body)
        try:
            while data:
                data = data[os.write(self.channel, data) :]
        except OSError:
            raise Lost() from None

    def receive(self):
        length = unpack('<I', self.read(4))[0]
        if length > MAX_MESSAGE_BYTES:
            raise Refused('a message of more than %d bytes' % MAX_MESSAGE_BYTES)
        return self.read(length)

    def read(self, length):
        data = bytearray()
        while len(data) < length:
            try:
                piece = os.read(self.channel, min(length - len(data), 65536))
            except OSError:
                raise Lost() from None
            if not piece:
                raise Lost()
            data += piece
        return bytes(data)


def limit_stacks():
    """Threads get a usual stack, not one as large as the main thread's: the address space is limited."""
    stack_size(THREAD_STACK_BYTES)


THREAD_STACK_BYTES = 4 * 1024 * 1024


def without_mark(source):
    """The text of a file without a byte order mark, as Python reads it."""
    return source[1:] if source[:1] == '\ufeff' else source


def give_empty_input():
    """Replaces standard input with an empty stream."""
    empty, closed = os.pipe()
    os.close(closed)
    os.dup2(empty, 0)
    os.close(empty)
