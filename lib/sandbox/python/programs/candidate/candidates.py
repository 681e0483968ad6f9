"""Forks a process per candidate and execution, from an interpreter that never runs a candidate itself.

Each child gets three of this process's descriptors: the channel to its judge, standard output and standard error.
"""

import os

import candidate
from jails import OuterJail
from forker import FIRST, Forker

# Modules that candidates often import, loaded once for all of them.
OFTEN_USED = ('typing', 'math', 'collections', 're', 'itertools', 'functools', 'string', 'heapq', 'hashlib')
# Descriptors per child.
EACH = 3


def main(count):
    count = int(count)
    candidate.enlarge_stack()
    outer = OuterJail(range(FIRST + EACH * count))
    if count > 1:
        for name in OFTEN_USED:
            __import__(name)

    def become(descriptors, *words):
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        outer.close((0, 1, 2), *words)
        candidate.serve()

    Forker(outer.fork, count, EACH, become).serve()
