"""The byte stream between judge and candidate, and how a conversation over it ends."""

import os
from _thread import stack_size
from struct import pack, unpack_from

MAX_MESSAGE_BYTES = 16 * 1024 * 1024


class Fatal(BaseException):
    """Ends the conversation. Never sent; code of the tests or the candidate should not be able to swallow it."""


class Lost(Fatal):
    """The other process has exited."""


class Refused(Fatal):
    """The other process sent something invalid or unsendable."""


class Line:
    """Messages over the stream of a descriptor: a length of four bytes, little-endian, and a text."""

    def __init__(self, channel):
        self.channel = channel
        self.ahead = b''  # received after the last message

    def send(self, text):
        body = text.encode()
        data = pack('<I', len(body)) + body
        try:
            sent = os.write(self.channel, data)
            while sent < len(data):
                sent += os.write(self.channel, memoryview(data)[sent:])
        except OSError:
            raise Lost() from None

    def receive(self):
        data = self.ahead or self.read()
        while len(data) < 4:
            data += self.read()
        length, = unpack_from('<I', data)
        if length > MAX_MESSAGE_BYTES:
            raise Refused('a message of more than %d bytes' % MAX_MESSAGE_BYTES)
        end = 4 + length
        if len(data) < end:
            data = bytearray(data)
            while len(data) < end:
                data += self.read()
        self.ahead = bytes(data[end:])
        return data[4:end].decode()

    def read(self):
        try:
            piece = os.read(self.channel, 16384)
        except OSError:
            raise Lost() from None
        if not piece:
            raise Lost()
        return piece


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
