"""The first process of a container: starts one program at a time on request, and cleans up after it.

It never reads foreign code and runs only what the host asks for. A message is its length in four bytes,
little-endian, then one letter and a body:

    host    s  JSON {"argv", "env"}: start this     i  bytes for its channel           c  end of its channel
            k  end every process, remove every file, reply "r"
            w  reply "w"
    init    r  ready                                d  bytes of its channel
            w  milliseconds that the program has waited for a processor
            o, e  bytes of its standard output and error
            x  JSON {"code", "signal"}: how it ended

The channel is a two-way stream socket on the program's descriptor 0. When the host exits, standard input ends, and
the container exits too.
"""

import json
import os
import select
import signal
import socket
import sys

FOLDER = "/jail"
PIECE = 1 << 16


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    hide()
    touchable = [FOLDER] + writable_devices()
    run = None
    received = b""
    tell(b"r")
    while True:
        readable, writable, _ = select.select([0, woken] + (run.outputs() if run else []), run.inputs() if run else [], [])
        if run:
            run.relay(readable, writable)
        if woken in readable:
            os.read(woken, PIECE)
            reap(run)
        if 0 in readable:
            piece = os.read(0, PIECE)
            if not piece:
                os._exit(0)
            received += piece
            while len(received) >= 4 and len(received) >= 4 + int.from_bytes(received[:4], "little"):
                end = 4 + int.from_bytes(received[:4], "little")
                kind, body, received = received[4:5], received[5:end], received[end:]
                if kind == b"s":
                    run = Run(json.loads(body))
                elif kind == b"i" and run:
                    run.pending += body
                elif kind == b"c" and run:
                    run.closing = True
                elif kind == b"w":
                    tell(b"w", b"%d" % (waited(run.pid) if run else 0))
                elif kind == b"k":
                    end_all()
                    if run:
                        run.drain()
                        run.close()
                    run = None
                    clear(FOLDER)
                    touch_all(touchable)
                    tell(b"r")


class Run:
    """A program with its channel and its two outputs."""

    def __init__(self, order):
        ours, theirs = (end.detach() for end in socket.socketpair())
        out, theirs_out = os.pipe()
        err, theirs_err = os.pipe()
        self.channel = ours
        # Descriptors to read from, with the letters used to report to the host.
        self.kinds = {ours: b"d", out: b"o", err: b"e"}
        self.pending = b""
        self.closing = False
        self.pid = os.fork()
        if self.pid == 0:
            try:
                for number, descriptor in enumerate((theirs, theirs_out, theirs_err)):
                    os.dup2(descriptor, number)
                os.closerange(3, 4096)
                os.setsid()
                signal.set_wakeup_fd(-1)
                os.chdir(FOLDER)
                program = order["argv"][0] or sys.executable
                os.execve(program, [program] + order["argv"][1:], order["env"])
            except BaseException as error:
                os.write(2, str(error).encode("utf-8", "replace"))
            finally:
                os._exit(127)
        for descriptor in (theirs, theirs_out, theirs_err):
            os.close(descriptor)
        for descriptor in self.kinds:
            os.set_blocking(descriptor, False)

    def outputs(self):
        return list(self.kinds)

    def inputs(self):
        return [self.channel] if self.channel in self.kinds and (self.pending or self.closing) else []

    def relay(self, readable, writable):
        if self.channel in writable:
            self.write()
        for descriptor in [each for each in self.kinds if each in readable]:
            self.pass_on(descriptor)

    def write(self):
        try:
            self.pending = self.pending[os.write(self.channel, self.pending[:PIECE]) :]
            if self.closing and not self.pending:
                self.closing = False
                shut(self.channel)
        except BlockingIOError:
            pass
        except OSError:
            self.pending = b""
            self.closing = False

    def pass_on(self, descriptor):
        """Sends the host available output, and drops streams that have ended."""
        try:
            piece = os.read(descriptor, PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if piece:
            tell(self.kinds[descriptor], piece)
        else:
            del self.kinds[descriptor]
            os.close(descriptor)

    def drain(self):
        """Forwards the contents of the pipes, in so many steps only: another process may keep writing."""
        for _ in range(64):
            waiting, _, _ = select.select(self.outputs(), [], [], 0)
            if not waiting:
                break
            self.relay(waiting, [])

    def close(self):
        for descriptor in self.kinds:
            os.close(descriptor)


def shut(channel):
    """The other end reads end-of-file; it may still write."""
    ours = socket.socket(fileno=channel)
    ours.shutdown(socket.SHUT_WR)
    ours.detach()


def reap(run):
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if run and pid == run.pid:
            run.drain()
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
            number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
            tell(b"x", json.dumps({"code": code, "signal": number and signal.Signals(number).name}).encode())


def waited(pid):
    """Milliseconds in the queue for a processor (proc(5), schedstat); 0 where the kernel does not tell."""
    try:
        with open("/proc/%d/schedstat" % pid) as file:
            return int(file.read().split()[1]) // 1_000_000
    except (OSError, IndexError, ValueError):
        return 0


def end_all():
    """Kills every process except this first one, until none is left."""
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
            os.waitpid(-1, 0)
        except (ProcessLookupError, ChildProcessError):
            return


def clear(folder):
    """Removes everything in the folder, at any depth, by moving deeply nested parts to the top."""
    number = 0
    while True:
        names = os.listdir(folder)
        if not names:
            return
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isdir(path):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for inner in os.listdir(path):
                deep = os.path.join(path, inner)
                if os.path.isdir(deep) and not os.path.islink(deep):
                    os.chmod(deep, 0o700)
                number += 1
                os.rename(deep, os.path.join(folder, ".%d" % number))
            os.rmdir(path)


def writable_devices():
    """Files in /dev whose timestamps a program may set."""
    paths = [os.path.join(folder, name) for folder, _, names in os.walk("/dev") for name in names]
    return [path for path in paths if os.access(path, os.W_OK)]


def touch_all(paths):
    """Resets their timestamps, so that one program cannot leave a message for the next."""
    for path in paths:
        try:
            os.utime(path, follow_symlinks=False)
        except OSError:
            pass


def hide():
    """Prevents other processes from inspecting this one: PR_SET_DUMPABLE."""
    import ctypes

    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


def tell(kind, body=b""):
    message = (1 + len(body)).to_bytes(4, "little") + kind + body
    while message:
        message = message[os.write(1, message) :]


main()
