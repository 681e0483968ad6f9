"""A program that has everything loaded and forks itself, for programs that take long to start.

Its forked processes are children of this process, in the jails that jails.py would make for them. The program
reads a line for each, "NUMBER PARENT UID PROCESSES WORK", on descriptor 0 and answers with the new process's number on
descriptor 1; it closes the jail itself (javascript/fork/fork-server.ts).
"""

import os
from select import select

from confine import die_with_parent

# Seconds for the program to start, and to fork.
PATIENCE = 20


class ForkServer:
    def __init__(self, command, outer, text):
        """`text` describes the jail of `outer`."""
        self.inner = outer.jail['inner']
        request, self.requests = os.pipe()
        self.answers, answer = os.pipe()
        this = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            try:
                if outer.kernel:
                    die_with_parent(outer.kernel, this)
                    outer.keep_capabilities()
                os.dup2(request, 0)
                os.dup2(answer, 1)
                os.environ['HEFIX_JAIL'] = '\n'.join([text] + ['held ' + name for name in outer.jail['held']])
                os.execv(command[0], command)
            finally:
                os._exit(1)
        os.close(request)
        os.close(answer)

    def start(self, number, uid, processes, rest):
        """The number of a forked process; None if there is none, and never again."""
        if not self.pid:
            return None
        parent = 0 if self.inner else os.getpid()
        try:
            os.write(self.requests, os.fsencode('%d %d %s %s %s\n' % (number, parent, uid, processes, rest.split('\t')[0])))
            answer = os.read(self.answers, 64) if select([self.answers], [], [], PATIENCE)[0] else b''
        except OSError:
            answer = b''
        if not answer:
            self.stop()
        return int(answer) if answer else None

    def stop(self):
        if self.pid:
            os.close(self.requests)
            os.close(self.answers)
            os.kill(self.pid, 9)
            self.pid = None
