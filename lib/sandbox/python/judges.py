"""Starts several judges at once by forking, which costs a twentieth of starting as many interpreters.

Descriptors 3, 4 belong to the first judge, 5, 6 to the second, and so on: a stream to who asks for verdicts, and a
stream to the candidate. A byte on descriptor 0 ends the judge of that number; its end ends them all.
This process runs neither tests nor candidates, and each judge closes its own cell.
"""

import os
from _signal import SIGKILL

import judge
from judge_peer import CHANNEL

FIRST = 3
# What tests often import, loaded once for all judges.
OFTEN_USED = ('math', 'random', 'copy', 'string')


def main(count):
    for name in OFTEN_USED:
        __import__(name)
    parent = os.getpid()
    children = []
    for number in range(int(count)):
        child = os.fork()
        if not child:
            become_judge(FIRST + 2 * number, parent)
        children.append(child)
    os.closerange(FIRST, FIRST + 2 * int(count))
    while True:
        command = os.read(0, 1)
        for child in [children[command[0]]] if command else children:
            try:
                os.kill(child, SIGKILL)
            except OSError:
                # It has ended, or is of a user whom this one may not signal: its own limits end it.
                pass
        if not command:
            os._exit(0)


def become_judge(first, parent):
    control, channel = os.dup(first), os.dup(first + 1)
    for descriptor, target in ((control, 0), (control, 1), (channel, CHANNEL)):
        os.dup2(descriptor, target)
    # The cell ends with the process that it names as its parent, which is this one's.
    lines = os.environ['HEFIX_CELL'].split('\n')
    os.environ['HEFIX_CELL'] = '\n'.join('parent %d' % parent if line.startswith('parent ') else line for line in lines)
    judge.main()
