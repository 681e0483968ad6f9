"""A conversation between two processes over one byte stream; each may call the other's functions.

A message is a 32-bit length and a body: its kind, its payload, and the changes to containers that both sides hold (see
heap.py). Only one side sends at a time; before it answers a request, a side may send requests of its own (callbacks).

    'call'                             number, args, kwargs   -> 'return' value | 'raise' exception | 'refuse' reason
    'next', 'send', 'throw', 'close'   number, value          -> 'return' (whether it is over, value)
    'get', 'set', 'delete', 'special'  number, name, …        -> 'return' value
    'poll', 'cancel'                   number                 -> 'return' (whether it is over, value)
    'signature'                        number                 -> 'return' parameters, return annotation
    others                             payload                -> what the side's `answer` returns
"""

from _thread import allocate_lock, get_ident
from struct import pack
from time import sleep

from bounds import TooLarge, Unsendable
from containers import unfolded
from errors import MAX_TEXT, described, rebuilt
from functions import Functions
from heap import Heap
from line import Fatal, Line, Refused
from stand_ins import signature_of
from wire import Decoder, Encoder

MAX_NESTED = 330
# Seconds between two looks at whether it is a thread's turn.
PAUSE = 0.0005
# Seconds that a side runs its own event loop before it reports that a coroutine is not finished.
TURN = 0.005


class Peer(Line, Functions):
    # Whether the size of the other side's data is checked, counting shared parts each time they appear.
    suspicious = False
    # What ended the conversation.
    fatal = None

    def __init__(self, channel):
        super().__init__()
        self.channel = channel
        self.owner = get_ident()
        self.turn = allocate_lock()  # held by the thread that sends or receives
        self.nested = 0
        self.heap = Heap()
        self.payload = None
        self.tasks = {}
        self.loop = None

    # requests to the other side

    def call(self, number, args, kwargs):
        return self.request('call', (number, args, kwargs))

    def construct(self, _kind, number, args, kwargs):
        return self.call(number, args, kwargs)

    def attribute(self, _owner, number, name):
        return self.request('get', (number, name))

    def special(self, _owner, number, name, args):
        return self.request('special', (number, name, args))

    def step(self, kind, number, value):
        over, value = self.request(kind, (number, value))
        if over:
            raise StopIteration(value)
        return value

    def request(self, kind, payload):
        self.turn.acquire()
        try:
            self.begin(kind, payload)
            del payload
            return self.settle()
        finally:
            self.let_go()

    def let_go(self):
        # The end of the time limit may have interrupted a thread that waited for its turn.
        if self.turn.locked():
            self.turn.release()

    def regain(self, depth):
        """Waits until everything that was asked after this thread's request is answered: answers are last in, first out."""
        self.turn.acquire()
        while self.nested != depth and not self.fatal:
            self.turn.release()
            sleep(PAUSE)
            self.turn.acquire()

    def begin(self, kind, payload):
        self.send(self.message(kind, payload))

    def settle(self):
        """Serves the other side's requests until it answers ours."""
        while True:
            kind = self.read_message()
            if kind not in ('return', 'raise', 'refuse'):
                self.serve(kind)
                continue
            payload = self.taken()
            if kind == 'refuse':
                raise Refused(str(payload)[:MAX_TEXT])
            if kind == 'return':
                return payload
            try:
                error = rebuilt(payload, self)
            except Exception as fault:
                raise Refused('a message that cannot be read (%s)' % fault) from None
            raise self.arriving(error)

    def arriving(self, error):
        """The exception to raise for an exception of the other side."""
        return error

    # messages

    def message(self, kind, payload):
        """Raises Unsendable, and leaves no trace of the attempt."""
        body = Encoder(self.heap, self)
        known, mark, kept = list(self.heap.items), self.heap.next, len(self.heap.kept)
        try:
            body.value(kind)
            body.value(payload)
            changed = [number for number in known if self.contents(number) != self.heap.seen.get(number)]
            at = len(body.out)
            body.size(0)
            # An instance may lead to others, which are added to the end.
            waiting = body.later = changed + body.later
            for number in waiting:
                body.size(number)
                body.contents(self.heap.items[number])
            body.out[at : at + 4] = pack('<I', len(waiting))
        except Unsendable:
            self.heap.back_to(mark, kept)
            raise
        for number in [*changed, *range(mark, self.heap.next)]:
            self.heap.seen[number] = self.contents(number)
        del payload
        released = self.heap.release()
        body.size(len(released))
        for number in released:
            body.size(number)
        return body.out

    def contents(self, number):
        """The contents of a container, as bytes to compare with."""
        mark, kept = self.heap.next, len(self.heap.kept)
        body = Encoder(self.heap, self)
        try:
            body.contents(self.heap.items[number])
            return body.out
        finally:
            self.heap.back_to(mark, kept)

    def read_message(self):
        """The kind of the next message. All its changes have been applied, and its payload is in `payload`."""
        data = self.receive()
        heap = self.heap
        mark = heap.next
        try:
            body = Decoder(data, heap, self)
            kind = body.value()
            payload = body.value()
            changed = []
            for _ in range(body.item_count()):
                changed.append(body.size())
                body.contents(heap.items[changed[-1]])
            if self.suspicious:
                heap.shares = heap.shares or body.shares
                if heap.shares:
                    sizes = {}
                    for value in (payload, *(heap.items[number] for number in changed)):
                        unfolded(value, sizes, self.declared.kinds)
                    if changed:
                        for value in heap.items.values():
                            unfolded(value, sizes, self.declared.kinds)
            for _ in range(body.item_count()):
                heap.forget(body.size())
            for number in [*changed, *range(mark, heap.next)]:
                if number in heap.items:
                    heap.seen[number] = self.contents(number)
        except TooLarge as fault:
            raise Refused(str(fault)) from None
        except MemoryError:
            raise
        except Exception as fault:
            raise Refused('a message that cannot be read (%s)' % fault) from None
        if type(kind) is not str:
            raise Refused('a message that cannot be read')
        self.payload = payload
        return kind

    def taken(self):
        """The payload of the last message that was read. No other reference is kept, so that it can be released."""
        payload, self.payload = self.payload, None
        return payload

    # requests of the other side

    def serve(self, kind):
        payload = self.taken()
        self.nested += 1
        depth = self.nested
        self.let_go()
        try:
            if depth > MAX_NESTED:
                raise RecursionError('calls nested too deeply between the tests and the candidate')
            outcome, result = 'return', self.perform(kind, payload)
        except Fatal:
            raise
        except Unsendable as fault:
            outcome, result = 'refuse', str(fault)
        except BaseException as error:
            outcome, result = 'raise', described(error, self)
            # Its frames would keep alive what they refer to.
            error.__traceback__ = None
        finally:
            self.regain(depth)
            self.nested -= 1
        del payload
        if outcome == 'refuse':
            return self.refuse(result)
        try:
            message = self.message(outcome, result)
        except Unsendable as fault:
            return self.refuse(str(fault))
        self.send(message)

    def perform(self, kind, payload):
        if kind == 'call':
            number, args, kwargs = payload
            return self.callable_of(number)(*args, **kwargs)
        if kind in ('next', 'send', 'throw', 'close'):
            return self.advance(kind, *payload)
        if kind == 'get':
            number, name = payload
            return getattr(self.opened(number, name, kind), name)
        if kind == 'set':
            number, name, value = payload
            return setattr(self.opened(number, name, kind), name, value)
        if kind == 'delete':
            number, name = payload
            return delattr(self.opened(number, name, kind), name)
        if kind == 'special':
            number, name, args = payload
            owner = self.opened(number, name, kind)
            return getattr(type(owner), name)(owner, *args)
        if kind == 'poll':
            return self.poll(payload)
        if kind == 'signature':
            return signature_of(self.callable_of(payload))
        if kind == 'cancel':
            task = self.tasks.get(payload)
            return task.cancel() if task else self.owned(payload).close()
        return self.answer(kind, payload)

    def callable_of(self, number):
        return self.owned(number)

    def opened(self, number, _name, _kind):
        """The object whose attribute the other side wants to read, set or use."""
        return self.owned(number)

    def advance(self, kind, number, value):
        iterator = self.owned(number)
        try:
            if kind == 'next':
                return False, next(iterator)
            if kind == 'send':
                return False, iterator.send(value)
            if kind == 'throw':
                return False, iterator.throw(value)
            return False, iterator.close()
        except StopIteration as end:
            return True, end.value

    def poll(self, number):
        import asyncio

        task = self.tasks.get(number)
        if task is None:
            awaitable = self.owned(number)

            async def work():
                return await awaitable

            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:
                loop = self.loop = self.loop or asyncio.new_event_loop()
            task = self.tasks[number] = loop.create_task(work())
        loop = task.get_loop()
        if not loop.is_running():
            loop.run_until_complete(asyncio.wait([task], timeout=TURN))
        return (True, task.result()) if task.done() else (False, None)

    def answer(self, kind, payload):
        """Serves the requests that only this side understands."""
        raise ValueError('unknown request %r' % kind)

    def refuse(self, reason):
        reply = Encoder(Heap(), self)
        reply.value('refuse')
        reply.value(reason[:MAX_TEXT])
        reply.size(0)
        reply.size(0)
        self.send(reply.out)

    def give_up(self, what):
        raise RuntimeError('cannot %s' % what)

    def no_subclass(self, _bases):
        self.give_up('subclass a class of the other side')
