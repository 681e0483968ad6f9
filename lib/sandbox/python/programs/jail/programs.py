"""Forks processes that become programs of other languages, each in a jail of its own.

Argument: how many, the numbers that the descriptors of each get in it, and, if there is one, a folder of programs, to
which files are added while this process runs. A child may read the files there that its command names, and no others.
HEFIX_FORK_SERVER may hold the command of a program that forks itself instead, as words divided by tabs.
"""

import os

from jails import OuterJail
from fork_server import ForkServer
from forker import FIRST, Forker

STANDARD = {0, 1, 2}


def main(words):
    count, targets, folder = words.split(' ', 2)
    targets = [int(target) for target in targets.split(',')]
    text, command = os.environ['HEFIX_JAIL'], os.environ.pop('HEFIX_FORK_SERVER', '')
    outer = OuterJail(range(FIRST + len(targets) * int(count)))
    outer.jail['read'] = [path for path in outer.jail['read'] if path != folder]

    def become(descriptors, uid, processes, rest):
        os.setsid()
        for target in STANDARD.difference(targets):
            null = os.open('/dev/null', os.O_RDWR)
            os.dup2(null, target)
            os.close(null)
        for target, descriptor in zip(targets, descriptors):
            os.dup2(descriptor, target)
        # The host does not wait for its end of a stream, which may be this one.
        os.set_blocking(0, True)
        work, *command = rest.split('\t')
        outer.jail['execute'] = outer.jail['execute'] + [word for word in command if folder and word.startswith(folder + '/')]
        outer.close(STANDARD.union(targets), uid, processes, work, command)

    server = ForkServer(command.split('\t'), outer, text) if command else None
    Forker(outer.fork, int(count), len(targets), become, server).serve()
