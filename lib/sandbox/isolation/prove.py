"""Tries the protections of a jail from inside, after it is closed.

Prints a line for each: its name, "held" or "OPEN", and how. Arguments: confine.py, and JSON {"port", "datagrams",
"socket", "secret", "own", "folder", "victim", "memory", "files", "file_size", "processes", "work_folder", "only"}, which
the host prepared; only protections whose names start with "only" are tried. In the jail of another program, which is
closed before the program starts, confine.py is not used.
"""

import os
import sys


def load(name, path):
    module = sys.modules[name] = type(sys)(name)
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


confine = load("confine", sys.argv[1]) if "HEFIX_JAIL" in os.environ else None
import _thread  # noqa: E402
import json  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import time  # noqa: E402

targets = json.loads(sys.argv[2])
if confine:
    confine.confine()


def protection(name, *attempts):
    """The protection holds if every attempt raises an exception."""
    if not name.startswith(targets.get("only", "")):
        return
    for attempt in attempts:
        try:
            attempt()
        except (OSError, MemoryError, ValueError, RuntimeError) as error:
            how = type(error).__name__
        else:
            print(name, "OPEN", "an attempt succeeded", sep="\t", flush=True)
            return
    print(name, "held", how, sep="\t", flush=True)


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        client.connect(address)


def write(path):
    with open(path, "w") as file:
        file.write("x")


def read(path):
    with open(path) as file:
        file.read()


def fork():
    if os.fork() == 0:
        os._exit(0)


def send(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as client:
        client.sendto(b"x", address)


def trace():
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    # PTRACE_ATTACH
    if library.ptrace(16, targets["victim"], None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def open_files():
    opened = []
    try:
        for _ in range(targets["files"] + 1):
            opened.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for descriptor in opened:
            os.close(descriptor)


def write_bytes(path, mib):
    with open(path, "wb") as file:
        for _ in range(mib):
            file.write(bytes(1 << 20))


def fill_folder():
    for number in range(targets["work_folder"] // targets["file_size"] + 1):
        write_bytes("fill%d" % number, targets["file_size"])


def start_threads():
    for _ in range(targets["processes"] + 1):
        _thread.start_new_thread(time.sleep, (5,))


own, device = targets["own"], "/dev/zero"
protection("network: TCP", lambda: connect(socket.AF_INET, ("127.0.0.1", targets["port"])))
protection("network: listening", lambda: socket.create_server(("127.0.0.1", 0)))
protection("network: UDP", lambda: send(socket.AF_INET, ("127.0.0.1", targets["datagrams"])))
protection("network: Unix sockets", lambda: connect(socket.AF_UNIX, targets["socket"]))
protection("files: reading yours", lambda: read(targets["secret"]), lambda: os.listdir(targets["folder"]))
protection("files: writing outside", lambda: write(targets["folder"] + "/planted"), lambda: write("/tmp/hefix-planted"))
protection("metadata: modes", lambda: os.chmod(own, 0o644), lambda: os.fchmod(os.open(own, os.O_RDONLY), 0o644))
protection("metadata: times", lambda: os.utime(own, ns=(1, 1)), lambda: os.utime(own), lambda: os.utime(device))
protection("metadata: owners", lambda: os.chown(own, os.getuid(), os.getgid()))
protection("metadata: contents", lambda: os.truncate(own, 0), lambda: os.open(own, os.O_RDONLY | os.O_TRUNC))
protection("metadata: names", lambda: os.link(own, "link"), lambda: os.rename(own, own + ".old"))
if hasattr(os, "setxattr"):
    protection("metadata: attributes", lambda: os.setxattr(own, "user.x", b"1"), lambda: os.removexattr(own, "user.x"))
protection("processes: starting", fork)
protection("processes: signals", lambda: os.kill(targets["victim"], 9))
protection("processes: tracing", trace, lambda: read("/proc/%d/mem" % targets["victim"]))
protection("privileges: users", lambda: os.setuid(0 if os.getuid() else 1))
protection("limits: memory", lambda: bytearray(2 * targets["memory"]))
# A limit cannot be raised; where there is none, this succeeds.
unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
protection("limits: processor time", lambda: resource.setrlimit(resource.RLIMIT_CPU, unlimited))
protection("limits: open files", open_files)
# Without SIGXFSZ, which ends the process, writing fails.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
protection("limits: file size", lambda: write_bytes("large", targets["file_size"] + 1))
if targets["work_folder"]:
    protection("limits: work folder", fill_folder)
protection("limits: threads", start_threads)
# Last, because nothing of this program is left if it succeeds.
protection("processes: programs", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"]))
