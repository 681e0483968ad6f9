"""Forks a process per build, which compiles in a jail of its own.

Each child gets three of this process's descriptors: the request, the reply and errors.
"""

import os

import builder
from jails import OuterJail
from forker import FIRST, Forker

# Descriptors per child.
EACH = 3


def main(count):
    count = int(count)
    outer = OuterJail(range(FIRST + EACH * count))

    def become(descriptors, *words):
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        outer.close((0, 1, 2), *words)
        builder.build()
        os._exit(0)

    Forker(outer.fork, count, EACH, become).serve()
