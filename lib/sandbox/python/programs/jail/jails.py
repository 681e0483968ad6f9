"""Jails inside a jail: one process forks others, each into its own jail, at a tenth of the cost of starting them.

The forking process reads only its own commands: no candidate, no test, no byte that either wrote. Every child
therefore inherits the same state, and none can leave anything behind for the next. A child closes all descriptors
except its own before it reads foreign code. If the isolation level has namespaces, a child cannot see the forking
process; otherwise it cannot signal or trace it, because that process runs as another user or is not dumpable.
"""

import _signal
import os

from confine import (
    ALL_NAMESPACES,
    become_program,
    close_jail,
    close_descriptors,
    die_with_parent,
    keep_mounts_private,
    mount_work_folder,
    open_jail,
    wait_for,
)


class OuterJail:
    """Children get namespaces of their own if the host says so (`inner`), which it does not for Python's judges."""

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

    def keep_capabilities(self):
        """Lets a program that this process becomes make jails too."""
        if self.jail['root'] and os.getuid():
            only = (1 << 21).to_bytes(4, 'little')  # CAP_SYS_ADMIN
            self.kernel.call('capset', 0x20080522.to_bytes(4, 'little') + bytes(4), only * 3 + bytes(12))
            self.kernel.call('prctl', 47, 2, 21, 0, 0)  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE

    def close(self, keep, uid=None, processes=None, work=None, command=None):
        """Enters a closed jail; for a child made by `fork`. Returns the names of the protections in force.

        Words that are not given are taken from the outer jail's description. Becomes a program if a command is given.
        """
        # Only the forking process handles the end of children.
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        jail = dict(self.jail, root='', parent='' if self.jail['inner'] else self.pid)
        if work is not None:
            jail['uid'], jail['work'] = int(uid) if uid else None, work
            jail['limit'] = jail['limit'] + ['RLIMIT_NPROC %s %s' % (processes, processes)]
            os.environ['HOME'] = os.environ['TMPDIR'] = work
        if jail['inner']:
            # The first process of a namespace ignores signals that would end any other, so the second one continues.
            die_with_parent(self.kernel, 0)
            child = os.fork()
            if child:
                wait_for(child)
        close_descriptors(keep)
        if jail['inner']:
            keep_mounts_private(self.kernel)
            mount_work_folder(self.kernel, jail)
        return become_program(self.kernel, jail, command) if command else close_jail(self.kernel, jail)
