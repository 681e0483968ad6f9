"""Tries candidates one after the other in processes that are forked when all tests are collected.

Starting a test framework and importing the project takes most of the time of a short test, so that is done once. Each
candidate runs in a process of its own, which starts from the same state.
"""

import base64
import gc
import json
import os
import select
import signal
import struct
import sys
import time

from swapped_code import LoadedFile, NotSwappable, loaded_functions

# Seconds until a process is killed that no signal reaches.
GRACE = 2


class Trials:
    """Keeps the process that has collected the tests, and asks it."""

    def __init__(self, space, settings):
        self.space = space
        self.settings = settings
        self.base = None
        self.pid = None
        self.requests = self.answers = None

    def run(self, request):
        """A report, or None if the candidate cannot be tried in this way."""
        files = dict(request["files"])
        candidate = request["trial"]["candidate"]
        content = files.pop(candidate)
        if self.pid is None or self.base != files:
            self.end()
            self.start(files, request)
        send(self.requests, dict(request, files=None, content=content))
        limit = 20 * request["seconds"] + GRACE
        answer = receive(self.answers, limit)
        if answer is None:
            self.end()
            return None
        return answer["report"]

    def start(self, files, request):
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        self.base = files
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.requests)
            os.close(self.answers)
            try:
                Collected(self.space, self.settings, requests, answers).serve(files, request)
            finally:
                os._exit(1)
        os.close(requests)
        os.close(answers)

    def end(self):
        if self.pid is None:
            return
        os.close(self.requests)
        os.close(self.answers)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        self.pid = None
        self.space.undo()


class Collected:
    """The process that has collected the tests."""

    def __init__(self, space, settings, requests, answers):
        self.space = space
        self.settings = settings
        self.requests = requests
        self.answers = answers
        self.called = set()
        self.loaded = {}
        self.request = None
        # Where the process of a candidate writes its report.
        self.out = None

    def serve(self, files, request):
        from frameworks import run_tests

        self.space.rebase(files)
        self.space.reset()
        sys.setprofile(self.note_call)
        plain = dict(request, only=None, trial=None)
        report = run_tests(self.space, self.settings, plain, before_run=self.fork_trials)
        if self.out is None:
            # The tests could not be collected.
            while receive(self.requests, None) is not None:
                send(self.answers, {"report": None})
            os._exit(0)
        send(self.out, {"report": report})
        os._exit(0)

    def note_call(self, frame, event, arg):
        if event == "call":
            code = frame.f_code
            self.called.add((code.co_name, code.co_firstlineno))

    def fork_trials(self, recorder):
        """Returns in the process of each candidate; the others never return."""
        sys.setprofile(None)
        if self.out is not None:
            return
        functions = loaded_functions(self.space.root)
        # Processes share what the collector does not touch.
        gc.freeze()
        gc.disable()
        while True:
            request = receive(self.requests, None)
            if request is None:
                os._exit(0)
            path = request["trial"]["candidate"]
            if path not in self.loaded:
                whole = os.path.join(self.space.root, path)
                self.loaded[path] = LoadedFile(whole, functions, self.called)
            reading, writing = os.pipe()
            pid = os.fork()
            if pid == 0:
                for descriptor in (reading, self.requests, self.answers):
                    os.close(descriptor)
                self.out = writing
                try:
                    self.begin(request, recorder)
                except NotSwappable:
                    send(writing, {"report": None})
                    os._exit(0)
                except SyntaxError:
                    send(writing, {"report": {"tests": [], "fault": "The candidate does not compile."}})
                    os._exit(0)
                return
            os.close(writing)
            answer = receive(reading, 20 * request["seconds"] + GRACE)
            os.close(reading)
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(pid, 0)
            self.space.undo()
            send(self.answers, answer or {"report": {"tests": [], "fault": "The process ended."}})

    def begin(self, request, recorder):
        path = request["trial"]["candidate"]
        source = base64.b64decode(request["content"])
        self.loaded[path].swap(source)
        gc.enable()
        self.space.write(path, source)
        recorder.begin_trial(request)


def send(descriptor, value):
    data = json.dumps(value).encode("ascii")
    data = struct.pack("!I", len(data)) + data
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor, seconds):
    """None at the end, or if nothing comes in time; without a limit if `seconds` is None."""
    until = None if seconds is None else time.monotonic() + seconds
    head = read_exactly(descriptor, 4, until)
    body = head and read_exactly(descriptor, struct.unpack("!I", head)[0], until)
    return json.loads(body) if body else None


def read_exactly(descriptor, count, until):
    data = b""
    while len(data) < count:
        if until is not None and not select.select([descriptor], [], [], max(0, until - time.monotonic()))[0]:
            return None
        piece = os.read(descriptor, count - len(data))
        if not piece:
            return None
        data += piece
    return data
