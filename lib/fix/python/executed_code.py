"""Records which lines of the project's functions are executed, and which functions are called."""

import os
import sys
import threading
from functools import lru_cache

FUNCTION = 1  # CO_OPTIMIZED: neither a module nor the body of a class
monitoring = getattr(sys, "monitoring", None)  # from Python 3.12


def line_recorder(root):
    """`root` ends with a separator."""
    tool = free_tool()
    return TracedLines(root) if tool is None else MonitoredLines(root, tool)


def record_calls(called):
    """Adds name and first line of everything that is called, until the function that this returns is called."""
    tool = free_tool()
    if tool is not None:

        def start(code, offset):
            called.add((code.co_name, code.co_firstlineno))
            return monitoring.DISABLE

        begin_monitoring(tool, {monitoring.events.PY_START: start})
        return lambda: end_monitoring(tool)

    def call(frame, event, arg):
        called.add((frame.f_code.co_name, frame.f_code.co_firstlineno))

    sys.settrace(call)
    return lambda: sys.settrace(None)


class MonitoredLines:
    """Each line is reported once per test, so that loops take no longer."""

    def __init__(self, root, tool):
        self.root = root
        self.tool = tool
        self.lines = None
        # The project's code that was executed, and what of it reported lines since the test began, by id.
        self.codes = {}
        self.reported = {}
        events = monitoring.events
        begin_monitoring(tool, {events.PY_START: self.on_start, events.LINE: self.on_line})

    def start(self, lines):
        """Adds line numbers to sets, by path."""
        self.watch(self.reported)
        self.reported = {}
        self.lines = lines

    def stop(self):
        self.lines = None

    def close(self):
        self.stop()
        self.unwatch(self.codes)
        end_monitoring(self.tool)

    def watch(self, codes):
        """Reports each of their lines, also those that were reported."""
        self.unwatch(codes)
        for code in codes.values():
            monitoring.set_local_events(self.tool, code, monitoring.events.LINE)

    def unwatch(self, codes):
        for code in codes.values():
            monitoring.set_local_events(self.tool, code, monitoring.events.NO_EVENTS)

    def on_start(self, code, offset):
        if is_of_function(code, self.root):
            self.codes[id(code)] = code
            self.watch({id(code): code})
        return monitoring.DISABLE

    def on_line(self, code, line):
        self.reported[id(code)] = code
        if self.lines is not None:
            self.lines.setdefault(real_path(code.co_filename)[len(self.root) :], set()).add(line)
        return monitoring.DISABLE


class TracedLines:
    def __init__(self, root):
        self.root = root
        self.lines = None
        # Code that was called, and what traces its lines; by id, which is faster than comparing code.
        self.known = {}

    def start(self, lines):
        """Adds line numbers to sets, by path."""
        self.lines = lines
        self.known = {}
        threading.settrace(self.on_call)
        sys.settrace(self.on_call)

    def stop(self):
        sys.settrace(None)
        threading.settrace(None)

    def close(self):
        self.stop()

    def on_call(self, frame, event, arg):
        code = frame.f_code
        known = self.known.get(id(code))
        if known is None:
            known = self.known[id(code)] = code, self.tracer_of(code)
        return known[1]

    def tracer_of(self, code):
        if not is_of_function(code, self.root):
            return None
        add = self.lines.setdefault(real_path(code.co_filename)[len(self.root) :], set()).add

        def trace(frame, event, arg):
            if event == "line":
                add(frame.f_lineno)
            return trace

        return trace


def is_of_function(code, root):
    return code.co_flags & FUNCTION and code.co_filename.startswith(root) and real_path(code.co_filename).startswith(root)


@lru_cache(maxsize=None)
def real_path(path, resolve=os.path.realpath):
    """Without links and `..`, which paths of imported modules have if `sys.path` does."""
    try:
        return resolve(path)
    except Exception:  # of a test's own file system
        return path


def free_tool():
    """The number of a tool that nothing else uses; None if there is none, as before Python 3.12."""
    free = [number for number in (4, 3) if monitoring and monitoring.get_tool(number) is None]
    return free[0] if free else None


def begin_monitoring(tool, callbacks):
    monitoring.use_tool_id(tool, "hefix")
    for event, callback in callbacks.items():
        monitoring.register_callback(tool, event, callback)
    monitoring.set_events(tool, monitoring.events.PY_START)


def end_monitoring(tool):
    events = monitoring.events
    monitoring.set_events(tool, events.NO_EVENTS)
    for event in (events.PY_START, events.LINE):
        monitoring.register_callback(tool, event, None)
    monitoring.free_tool_id(tool)
