"""Forks a judge per execution from one interpreter.

Each child gets two of this process's descriptors: a stream to the client that asks for verdicts, and a stream to the
candidate. This process runs neither tests nor candidates.
"""

import os

import judge
from jails import OuterJail
from forker import FIRST, Forker
from calls import CHANNEL

# Modules that tests often import, loaded once for all judges.
OFTEN_USED = ('math', 'random', 'copy', 'string')
# Descriptors per child.
EACH = 2


def main(count):
    count = int(count)
    outer = OuterJail(range(FIRST + EACH * count))
    if count > 1:
        for name in OFTEN_USED:
            __import__(name)

    def become(descriptors, *words):
        control, channel = [os.dup(each) for each in descriptors]
        for descriptor, target in ((control, 0), (control, 1), (channel, CHANNEL)):
            os.dup2(descriptor, target)
        outer.close((0, 1, 2, CHANNEL), *words)
        judge.main()

    Forker(outer.fork, count, EACH, become).serve()
