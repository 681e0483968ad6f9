"""Iterations over objects of the candidate whose class the tests do not know.

Plain data gives the same items each time, so such an object must too: otherwise each assertion could see another list.
"""


class Iterations:
    def __init__(self):
        self.kept = {}  # what each object gave, until the tests call something that may change it
        self.ended = set()  # numbers of iterators that have ended

    def over(self, number, made):
        """Iterates over an object whose iterator, when it was first asked for one, is `made()`."""
        if number not in self.kept:
            self.kept[number] = Replay(made())
        return iter(self.kept[number])

    def forget(self, number=None):
        """Called when an object may have changed; without a number, any of them."""
        if number is None:
            self.kept.clear()
        self.kept.pop(number, None)

    def advanced(self, number, is_over):
        """Whether an iterator may give this: once it has ended, it has."""
        if is_over:
            self.ended.add(number)
        return is_over or number not in self.ended


class Replay:
    def __init__(self, iterator):
        self.iterator = iterator
        self.items = []

    def __iter__(self):
        at = 0
        while True:
            if at == len(self.items):
                try:
                    self.items.append(next(self.iterator))
                except StopIteration:
                    return
            yield self.items[at]
            at += 1
