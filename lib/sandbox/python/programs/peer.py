"""A conversation between two processes over one byte stream: each may call the other's functions.

A message is a 32-bit length and a body: an opening value (the kind), then what that kind needs.
Strictly one side talks at a time; a request may be answered by requests of the other side first (callbacks).

    'call'   reference, args, kwargs    -> 'return' value, changed containers | 'raise' ... | 'refuse' reason
    'next'   reference                  -> 'return' (done, item)
    others   payload                    -> what the side's `answer` gives
"""

import os
from _thread import get_ident
from struct import pack, unpack

from errors import MAX_TEXT, described, rebuilt
from functions import Functions
from wire import MAX_BYTES, Decoder, Encoder, Objects, Unsendable

MAX_NESTED = 100
MAX_ITEMS = 20_000

class Fatal(BaseException):
    """Ends the conversation; never crosses, and no code of the tests or the candidate should swallow it."""


class Lost(Fatal):
    """The other side is gone."""


class Refused(Fatal):
    """The other side gave what is not plain data, or no message at all."""


class Peer(Functions):
    def __init__(self, channel):
        super().__init__()
        self.channel = channel
        self.owner = get_ident()
        self.nested = 0

    # requests of ours

    def call(self, number, args, kwargs):
        return self.request('call', (number, args, kwargs))

    def request(self, kind, payload):
        return self.settle(self.begin(kind, payload))

    def begin(self, kind, payload):
        if get_ident() != self.owner:
            raise RuntimeError('only the main thread may call across')
        objects = Objects()
        body = Encoder(objects, self)
        body.value(kind)
        body.value(payload)
        self.send(body.out)
        return objects

    def settle(self, objects):
        """Serves the other side's requests until it answers ours."""
        while True:
            body = self.receive()
            try:
                kind = Decoder(body, Objects(), self).value()
                if kind not in ('return', 'raise', 'refuse'):
                    self.serve(body)
                    continue
                answer = Decoder(body, objects, self)
                answer.value()
                value = answer.value()
                if kind == 'refuse':
                    raise Refused(str(value))
                for _ in range(answer.item_count()):
                    answer.contents(objects.items[answer.size()])
                error = rebuilt(*value) if kind == 'raise' else None
            except Exception as fault:
                raise Refused('a message that cannot be read (%s)' % fault) from None
            if error is not None:
                raise error
            return value

    # requests of theirs

    def serve(self, body):
        objects = Objects()
        request = Decoder(body, objects, self)
        kind = request.value()
        payload = request.value()
        before = [contents(item, self) for item in objects.items]
        reply = Encoder(objects, self)
        self.nested += 1
        try:
            if self.nested > MAX_NESTED:
                raise RecursionError('calls nested too deeply between the tests and the candidate')
            result = self.perform(kind, payload)
            reply.value('return')
            reply.value(result)
        except Fatal:
            raise
        except Unsendable as fault:
            return self.refuse(str(fault))
        except BaseException as error:
            reply = Encoder(objects, self)
            reply.value('raise')
            reply.value(described(error))
        finally:
            self.nested -= 1
        try:
            self.changes(reply, objects, before)
        except Unsendable as fault:
            return self.refuse(str(fault))
        self.send(reply.out)

    def perform(self, kind, payload):
        if kind == 'call':
            number, args, kwargs = payload
            return self.lent[number](*args, **kwargs)
        if kind == 'next':
            for item in self.lent[payload]:
                return False, item
            return True, None
        return self.answer(kind, payload)

    def answer(self, kind, payload):
        """Serves the requests that only this side knows."""
        raise ValueError('unknown request %r' % kind)

    def changes(self, reply, objects, before):
        """The containers of the request that no longer hold what they held."""
        changed = [number for number, held in enumerate(before) if contents(objects.items[number], self) != held]
        reply.size(len(changed))
        for number in changed:
            reply.size(number)
            reply.contents(objects.items[number])

    def refuse(self, reason):
        reply = Encoder(Objects(), self)
        reply.value('refuse')
        reply.value(reason[:MAX_TEXT])
        self.send(reply.out)

    # iterators of theirs

    def drain(self, number):
        for _ in range(MAX_ITEMS):
            done, item = self.request('next', number)
            if done:
                return
            yield item
        raise Refused('an iterator of more than %d items' % MAX_ITEMS)

    # bytes

    def send(self, body):
        data = memoryview(pack('<I', len(body)) + body)
        try:
            while data:
                data = data[os.write(self.channel, data) :]
        except OSError:
            raise Lost() from None

    def receive(self):
        length = unpack('<I', self.read(4))[0]
        if length > MAX_BYTES + 1024:
            raise Refused('a message of more than %d bytes' % MAX_BYTES)
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


def contents(container, references):
    """A fingerprint of what a container holds now; None if that can no longer cross."""
    body = Encoder(Objects(), references)
    try:
        body.contents(container)
    except Unsendable:
        return None
    return body.out


def give_empty_input():
    """Puts a stream that has ended in the place of standard input."""
    empty, closed = os.pipe()
    os.close(closed)
    os.dup2(empty, 0)
    os.close(empty)
