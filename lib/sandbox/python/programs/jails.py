"""Jails inside a jail: one process forks others, each into a jail of its own, which costs a tenth of starting them.

The forking process reads its own commands and nothing else: no candidate, no test, no byte that one of them wrote. So
what a child inherits is the same for every child, and none can leave anything for the next. A child closes all
descriptors but its own before it reads foreign code; where the level has namespaces it cannot see the forking
process, and where it has none it cannot signal or trace it, since that one is another user's or not dumpable.
"""

import _signal
import os

from confine import (
    ALL_NAMESPACES,
    close_jail,
    close_descriptors,
    die_with_parent,
    keep_mounts_private,
    mount_work_folder,
    open_jail,
    wait_for,
)


class OuterJail:
    """Where the level has namespaces and candidates are to come, each child has namespaces of its own, else none has."""

    def __init__(self, keep):
        self.kernel, self.jail = open_jail(keep)
        self.pid = os.getpid()
        if self.jail['root'] and not self.jail['inner']:
            mount_work_folder(self.kernel, self.jail)
        if self.kernel:
            self.kernel.call('prctl', 4, 0, 0, 0, 0)  # PR_SET_DUMPABLE

    def fork(self):
        if self.jail['inner']:
            return self.kernel.call('clone', ALL_NAMESPACES | _signal.SIGCHLD, 0, 0, 0, 0)
        return os.fork()

    def close(self, keep, uid=None, processes=None, work=None):
        """Goes on in a closed jail; for a child that `fork` made. Returns the names of what holds.

        Words that are not given are as in the outer jail's own description.
        """
        # Only the forking process wants to know of its children's ends.
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        jail = dict(self.jail, root='', parent='' if self.jail['inner'] else self.pid)
        if work is not None:
            jail['uid'], jail['work'] = int(uid) if uid else None, work
            jail['limit'] = jail['limit'] + ['RLIMIT_NPROC %s %s' % (processes, processes)]
            os.environ['HOME'] = os.environ['TMPDIR'] = work
        if jail['inner']:
            # The first process of a namespace ignores signals that would end any other, so the second goes on.
            die_with_parent(self.kernel, 0)
            child = os.fork()
            if child:
                wait_for(child)
        close_descriptors(keep)
        if jail['inner']:
            keep_mounts_private(self.kernel)
            mount_work_folder(self.kernel, jail)
        return close_jail(self.kernel, jail)
