"""Tries candidates one after another, each in a process forked after all tests are collected.

Starting a test framework and importing the project takes most of the time of a short test, so it is done once. Each
candidate gets its own process, which starts from the same state.
"""

import base64
import gc
import json
import os
import select
import signal
import time

from executed_code import record_calls
from frameworks import run_tests
from swapped_code import LoadedFile, NotSwappable, loaded_functions

# Seconds, in addition to those of its tests, after which an unresponsive process is killed.
GRACE = 2
TESTS_AT_LIMIT = 20


class Lines:
    """Requests, one per line. Unused input can be passed to another process."""

    def __init__(self, descriptor, pending=b""):
        self.descriptor = descriptor
        self.pending = pending

    def next(self):
        """None at the end."""
        while b"\n" not in self.pending:
            piece = os.read(self.descriptor, 1 << 16)
            if not piece:
                return None
            self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)


def run_trials(space, settings, first, lines, answer, run):
    """Answers requests until a trial needs the project with other files; returns that one, or None at the end.

    `run` answers a request in this process, which imports the project again.
    """
    reading, writing = os.pipe()
    waiting, going = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.close(going)
        try:
            Collected(space, settings, lines, answer, writing, waiting).serve(first)
        finally:
            os._exit(1)
    os.close(writing)
    os.close(waiting)
    messages = Lines(reading)
    message = messages.next()
    while message is not None and not message["last"]:
        run(message["request"])
        os.write(going, b"\n")
        message = messages.next()
    os.close(going)
    left = messages.pending + b"".join(iter(lambda: os.read(reading, 1 << 16), b""))
    os.close(reading)
    os.waitpid(pid, 0)
    space.undo()
    if message is None:
        # The process was killed, for example by the memory limit, so the next one might be too.
        return None
    lines.pending = left
    return message["request"]


def base_of(request):
    """The files that are the same for all candidates."""
    candidate = request["trial"]["candidate"]
    return {path: content for path, content in request["files"].items() if path != candidate}


class Collected:
    """The process that has collected the tests."""

    def __init__(self, space, settings, lines, answer, left, waiting):
        self.space = space
        self.settings = settings
        self.lines = lines
        self.answer = answer
        # Where requests are left to the process that started this one, and where it says that it has run one.
        self.left = left
        self.waiting = waiting
        self.called = set()
        self.stop_recording = None
        self.loaded = {}
        self.earlier = []
        self.first = None
        # Where a candidate's process writes its report.
        self.out = None

    def serve(self, request):
        self.first = request
        # Plugins may still refer to functions of candidates that were run before.
        self.earlier = loaded_functions(self.space.root)
        self.space.rebase(base_of(request))
        self.space.reset()
        self.stop_recording = record_calls(self.called)
        plain = dict(request, only=None, trial=None)
        report = run_tests(self.space, self.settings, plain, before_run=self.fork_trials)
        if self.out is None:
            # The tests could not be collected.
            self.hand_back(dict(request, trial=None))
        self.end_with(report)

    def end_with(self, report):
        write_all(self.out, json.dumps(report).encode("ascii"))
        os._exit(0)

    def hand_back(self, request):
        """For the process that runs tests in the ordinary way."""
        if request is not None:
            self.leave(request, last=True)
            write_all(self.left, self.lines.pending)
        os._exit(0)

    def leave(self, request, last=False):
        write_all(self.left, json.dumps({"request": request, "last": last}).encode("ascii") + b"\n")

    def run_elsewhere(self, request):
        """In the process that runs tests in the ordinary way."""
        self.leave(request)
        if not os.read(self.waiting, 1):
            os._exit(1)
        self.space.undo()

    def fork_trials(self, recorder):
        """Returns in each candidate's process; the other processes never return."""
        if self.out is not None:
            return
        self.stop_recording()
        functions = loaded_functions(self.space.root)
        # Processes share the memory that the collector does not touch.
        gc.freeze()
        gc.disable()
        request = self.first
        while request is not None:
            if not request.get("trial"):
                self.run_elsewhere(request)
            elif base_of(request) != base_of(self.first):
                break
            elif self.fork_trial(request, recorder, functions):
                return
            request = self.lines.next()
        self.hand_back(request)

    def fork_trial(self, request, recorder, functions):
        """Whether this is the candidate's process. The other one answers once it has ended."""
        path = request["trial"]["candidate"]
        if path not in self.loaded:
            whole = os.path.join(self.space.root, path)
            self.loaded[path] = LoadedFile(whole, functions, self.earlier, self.called)
            gc.freeze()
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            os.close(self.left)
            os.close(self.waiting)
            self.out = writing
            self.begin(request, recorder)
            return True
        os.close(writing)
        report = self.report_of(pid, reading, request)
        if report:
            self.answer(dict(report, id=request["id"]))
        else:
            self.run_elsewhere(dict(request, trial=None))
        return False

    def report_of(self, pid, reading, request):
        """Empty if the candidate must be imported."""
        data = read_all(reading, TESTS_AT_LIMIT * request["seconds"] + GRACE)
        os.close(reading)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(pid, 0)
        self.space.undo()
        try:
            return json.loads(data)
        except ValueError:
            return {"tests": [], "fault": "The process that ran the tests was ended."}

    def begin(self, request, recorder):
        path = request["trial"]["candidate"]
        source = base64.b64decode(request["files"][path])
        try:
            self.loaded[path].swap(source)
        except (NotSwappable, SyntaxError, ValueError):
            write_all(self.out, b"{}")
            os._exit(0)
        gc.enable()
        self.space.write(path, source)
        recorder.begin_trial(request, lambda: self.end_with(recorder.report()))


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


def read_all(descriptor, seconds):
    """Reads to the end, or until the time is up."""
    until = time.monotonic() + seconds
    data = b""
    while select.select([descriptor], [], [], max(0, until - time.monotonic()))[0]:
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        data += piece
    return data
