"""The mutable containers that both sides hold, each with one number on both.

A message carries the contents of those that its sender has changed since the last message, so either side sees at the
next call or return what the other did in place, as in one process. What a side no longer refers to is released, and
what is left of it on the other side is that side's own.
"""

from sys import getrefcount

MAX_SHARED = 100_000


class Heap:
    def __init__(self):
        self.items = {}
        self.numbers = {}  # by id
        self.seen = {}  # what each held when both sides last agreed
        self.next = 0
        self.idle = idle_references()
        self.shares = False  # whether one was ever named twice

    def add(self, container):
        self.numbers[id(container)] = self.next
        self.items[self.next] = container
        self.next += 1

    def forget(self, number):
        container = self.items.pop(number)
        self.numbers.pop(id(container), None)
        self.seen.pop(number, None)

    def back_to(self, number):
        """Takes back what a message that was not sent has added."""
        while self.next > number:
            self.next -= 1
            self.forget(self.next)

    def release(self):
        """Forgets what nothing but this table refers to. Returns the numbers."""
        idle = self.idle
        released = [number for number in self.items if getrefcount(self.items[number]) <= idle]
        for number in released:
            self.forget(number)
        return released


def idle_references():
    """How many references `Heap.release` counts to an object that only a heap's table holds."""
    table = {0: []}
    return [getrefcount(table[number]) for number in table][0]
