"""The mutable containers that both sides hold, under the same number on each.

A message carries the contents of those that its sender has changed since the last message, so each side sees in-place
changes at the next call or return, as within one process. When one side drops its last reference, the container is
released, and the other side's copy becomes independent.
"""

from sys import getrefcount

MAX_SHARED = 100_000


class Heap:
    def __init__(self):
        self.items = {}
        self.numbers = {}  # by id
        self.seen = {}  # contents when both sides last agreed
        self.next = 0
        self.idle = idle_references()
        self.shares = False  # whether a container was named more than once
        self.identity = False  # whether the tests ask which immutable values are the same object
        self.kept = []  # immutable values that keep their identity
        self.kept_numbers = {}  # by id

    def keep(self, value):
        if len(self.kept) < MAX_SHARED:
            self.kept_numbers[id(value)] = len(self.kept)
            self.kept.append(value)

    def add(self, container):
        self.numbers[id(container)] = self.next
        self.items[self.next] = container
        self.next += 1

    def forget(self, number):
        container = self.items.pop(number)
        self.numbers.pop(id(container), None)
        self.seen.pop(number, None)

    def back_to(self, number, kept):
        """Undoes what a message that was not sent has added."""
        while self.next > number:
            self.next -= 1
            self.forget(self.next)
        while len(self.kept) > kept:
            self.kept_numbers.pop(id(self.kept.pop()), None)

    def release(self):
        """Drops containers that only this table refers to. Returns their numbers."""
        idle = self.idle
        released = [number for number in self.items if getrefcount(self.items[number]) <= idle]
        for number in released:
            self.forget(number)
        return released


def idle_references():
    """The number of references that `Heap.release` counts for an object held only by a heap's table."""
    table = {0: []}
    return [getrefcount(table[number]) for number in table][0]
