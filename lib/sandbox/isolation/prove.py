"""Tries every protection of a jail from inside, after it is closed.

Prints a line for each: its name, "held" or "OPEN", and how. Arguments: confine.py, and JSON {"port", "secret", "own",
"folder", "victim", "memory"}, which the host prepared.
"""

import os
import sys


def load(name, path):
    module = sys.modules[name] = type(sys)(name)
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


confine = load("confine", sys.argv[1])
import json  # noqa: E402
import socket  # noqa: E402

targets = json.loads(sys.argv[2])
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


own, device = targets["own"], "/dev/zero"
protection("network: TCP", lambda: connect(socket.AF_INET, ("127.0.0.1", targets["port"])))
protection("network: listening", lambda: socket.create_server(("127.0.0.1", 0)))
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
protection("privileges: users", lambda: os.setuid(0 if os.getuid() else 1))
protection("limits: memory", lambda: bytearray(2 * targets["memory"]))
# Last, because nothing of this program is left if it succeeds.
protection("processes: programs", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"]))
