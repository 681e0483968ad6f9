"""Texts preceded by their length in four bytes, little-endian. At the end of the input, this process ends."""

import os


def take(descriptor):
    return read(descriptor, int.from_bytes(read(descriptor, 4), 'little'))


def read(descriptor, length):
    data = bytearray()
    while len(data) < length:
        piece = os.read(descriptor, length - len(data))
        if not piece:
            os._exit(0)
        data += piece
    return bytes(data)


def give(descriptor, text):
    data = memoryview(len(text).to_bytes(4, 'little') + text)
    while data:
        data = data[os.write(descriptor, data) :]
