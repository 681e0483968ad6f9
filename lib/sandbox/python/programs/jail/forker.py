"""Forks processes on request and reports how they ended.

Commands on descriptor 0, one per line: "start NUMBER" followed by words for the child, "kill NUMBER" and "alarm
NUMBER". End of input ends everything. Reports on descriptor 1, one per line: "NUMBER pid PID", and at the end "NUMBER
STATUS", where a negative status is the signal that ended the process.
"""

import gc
import os
import sys
from _signal import SIGALRM, SIGCHLD, SIGKILL, set_wakeup_fd, signal
from select import select

from jails import OuterJail

FIRST = 3


def fork_jails(count, targets, modules, run):
    """Forks `count` processes on request, each into a jail of its own, where it calls `run`. Never returns.

    `targets`: the numbers that each of a child's descriptors gets; a child has this process's standard error otherwise. `modules` are loaded once for all children.
    """
    outer = OuterJail(range(FIRST + len(targets) * count))
    for name in modules if count > 1 else ():
        __import__(name)

    def become(descriptors, *words):
        os.setsid()
        own = [os.dup(descriptor) for descriptor in descriptors]
        for descriptor, numbers in zip(own, targets):
            for number in numbers:
                os.dup2(descriptor, number)
        outer.close({0, 1, 2, *sum(targets, ())}, *words)
        run()
        os._exit(0)

    Forker(outer.fork, count, len(targets), become).serve()


class Forker:
    """Forks `count` children, numbered from 0, and exits after the last one has ended.

    Descriptors from 3 on belong to the children, `each` descriptors per child, in order.
    """

    def __init__(self, fork, count, each, become, server=None):
        """`become(descriptors, *words)` runs in the child with the words of its command, unless `server` starts it."""
        self.fork, self.each, self.become, self.server = fork, each, become, server
        self.to_come = count
        self.numbers = {}

    def serve(self):
        # A collection would write to memory that all processes share, and so copy it.
        gc.freeze()
        woken = wake_on_child()
        text = b''
        while self.to_come or self.numbers:
            ready = select([0, woken], [], [])[0]
            if woken in ready:
                os.read(woken, 4096)
                self.report()
            if 0 in ready:
                piece = os.read(0, 65536)
                if not piece:
                    break
                *lines, text = (text + piece).split(b'\n')
                for line in lines:
                    self.obey(os.fsdecode(line))
        for pid in self.numbers:
            end(pid)
        os._exit(0)

    def obey(self, line):
        verb, number, *words = line.split(' ', 4)
        number = int(number)
        if verb == 'start':
            self.start(number, words)
        for pid in [pid for pid, its in self.numbers.items() if verb == 'kill' and its == number]:
            end(pid)
        for pid in [pid for pid, its in self.numbers.items() if verb == 'alarm' and its == number]:
            os.kill(pid, SIGALRM)

    def start(self, number, words):
        self.to_come -= 1
        first = FIRST + self.each * number
        descriptors = range(first, first + self.each)
        try:
            pid = self.server and self.server.start(number, *words) or self.fork()
            if not pid:
                self.run(descriptors, words)
            self.numbers[pid] = number
            os.write(1, b'%d pid %d\n' % (number, pid))
        except OSError as error:
            os.write(2, b'no process: %s\n' % str(error).encode())
            tell(number, 1)
        for descriptor in descriptors:
            os.close(descriptor)
        if self.server and not self.to_come:
            self.server.stop()

    def run(self, descriptors, words):
        try:
            self.become(descriptors, *words)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)

    def report(self):
        while self.numbers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            # Signals it again, in case it started processes between the signal and its end.
            end(pid)
            if pid in self.numbers:
                tell(self.numbers.pop(pid), os.waitstatus_to_exitcode(status))


def end(pid):
    for kill in (os.kill, os.killpg):
        try:
            kill(pid, SIGKILL)
        except OSError:
            # It has ended, or does not lead a group.
            pass


def tell(number, status):
    os.write(1, b'%d %d\n' % (number, status))


def wake_on_child():
    """A descriptor that becomes readable when a child has ended."""
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    set_wakeup_fd(wake)
    signal(SIGCHLD, lambda _number, _frame: None)
    return woken
