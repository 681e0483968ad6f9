"""Forks judges, each for one execution, from one interpreter.

Each has two descriptors of this process: a stream to who asks for verdicts, and a stream to the candidate.
This process runs neither tests nor candidates.
"""

import os

import judge
from jails import OuterJail
from forker import FIRST, Forker
from judge_peer import CHANNEL

# What tests often import, loaded once for all judges.
OFTEN_USED = ('math', 'random', 'copy', 'string')
# Descriptors of each.
EACH = 2


def main(count):
    count = int(count)
    outer = OuterJail(range(FIRST + EACH * count))
    for name in OFTEN_USED:
        __import__(name)

    def become(descriptors, *words):
        control, channel = [os.dup(each) for each in descriptors]
        for descriptor, target in ((control, 0), (control, 1), (channel, CHANNEL)):
            os.dup2(descriptor, target)
        outer.close((0, 1, 2, CHANNEL), *words)
        judge.main()

    Forker(outer.fork, count, EACH, become).serve()
