"""Another common kind of judge for Python: `exec` in a child process after dangerous functions were disabled.

Written from the description of the guard that OpenAI published with HumanEval: the child disables functions that end
processes, change files or start programs, discards output, limits the time, runs candidate and tests as one program,
and adds "passed" to a list shared with its parent if no exception was raised. Its authors themselves say that this is
not a sandbox.

Usage: guarded_exec.py CODE TESTS ENTRY_POINT. It is here to be attacked.
"""

import builtins
import contextlib
import faulthandler
import io
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 3
DISABLED = {
    builtins: ["exit", "quit", "help"],
    os: [
        "kill", "killpg", "system", "putenv", "remove", "removedirs", "rmdir", "unlink", "rename", "renames",
        "replace", "truncate", "fork", "forkpty", "setuid", "chmod", "fchmod", "chown", "fchown", "lchown", "chroot",
        "chdir", "fchdir", "getcwd",
    ],
    shutil: ["rmtree", "move", "chown"],
    subprocess: ["Popen"],
}  # fmt: skip
HIDDEN = ["ipdb", "joblib", "resource", "psutil", "tkinter"]


class TimeUp(Exception):
    pass


def run(program, results):
    with tempfile.TemporaryDirectory() as folder:
        kept = os.getcwd(), os.chdir, shutil.rmtree, os.rmdir, os.unlink
        os.chdir(folder)
        guard()
        try:
            with silence(), limit():
                exec(program, {})
            results.append("passed")
        except BaseException as error:
            results.append("failed: %r" % error)
        work, os.chdir, shutil.rmtree, os.rmdir, os.unlink = kept
        os.chdir(work)


def guard():
    faulthandler.disable()
    os.environ["OMP_NUM_THREADS"] = "1"
    for module, names in DISABLED.items():
        for name in names:
            setattr(module, name, None)
    for name in HIDDEN:
        sys.modules[name] = None


@contextlib.contextmanager
def silence():
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield


@contextlib.contextmanager
def limit():
    def late(_number, _frame):
        raise TimeUp

    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    signal.signal(signal.SIGALRM, late)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main(code, tests, entry_point):
    with open(code) as candidate, open(tests) as checks:
        program = candidate.read() + "\n" + checks.read() + "\n"
    if "def check(" in program:
        program += "check(%s)\n" % entry_point
    with multiprocessing.Manager() as manager:
        results = manager.list()
        child = multiprocessing.Process(target=run, args=(program, results))
        child.start()
        child.join(SECONDS + 1)
        if child.is_alive():
            child.kill()
        return 0 if list(results)[:1] == ["passed"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
