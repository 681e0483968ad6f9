"""Records each test: its outcome, expected and actual values, where it failed, and which lines it executed."""

import ast
import linecache
import os
import re
import signal
import sys
import time
from contextlib import contextmanager

from executed_code import line_recorder, real_path

LONGEST = 400


class TimeUp(BaseException):
    """A test exceeded its time limit."""


class Trial:
    """Conditions that reject a candidate early."""

    def __init__(self, trial, failing):
        self.failing = set(failing)
        self.passing = set(trial["passing"])
        self.above = trial["above"]
        self.slow = set(trial.get("slow", ()))

    def place(self, test):
        """Failing tests come first, and slow ones last among them and among the others."""
        return test not in self.failing, test in self.slow

    def is_over(self, tests):
        outcome = {name: entry["outcome"] for name, entry in tests.items()}
        if any(outcome.get(name) == "failed" for name in self.passing):
            return True
        # A candidate that repairs no quick test is not worth the slow ones.
        quick = self.failing - self.slow
        if quick and all(outcome.get(name) == "failed" for name in quick):
            return True
        if not self.failing <= outcome.keys():
            return False
        passed = sum(outcome[name] == "passed" for name in self.failing)
        return passed < len(self.failing) and passed <= self.above


class Recorder:
    def __init__(self, space, request, before_run=None):
        self.before_run = before_run
        self.trial = None
        self.space = space
        self.inside = space.root + os.sep
        # In the tests' own order, since they may depend on it.
        self.order = request["only"]
        self.wanted = None if request["only"] is None else set(request["only"])
        self.stop = request["stop"]
        self.executed = line_recorder(self.inside) if request["trace"] else None
        # Lines that are executed before the tests run.
        self.imported = {}
        if self.executed and request["imports"]:
            self.executed.start(self.imported)
        # A run that records lines also notes what tests ask of their surroundings.
        self.watch = space.watching() if request["trace"] else None
        self.asked_before = []
        if self.watch:
            self.watch.notes = self.asked_before
        self.seconds = request["seconds"]
        self.cpu_seconds = request["cpu_seconds"]
        self.tests = {}
        self.fault = None
        self.failed = False
        self.overruns = 0

    def wants(self, test):
        return self.wanted is None or test in self.wanted

    def collected(self, tests, name_of):
        """Called with the collected tests; returns the requested ones in the order in which to run them."""
        # Random tests of Hypothesis are repeatable with a seed.
        hypothesis = sys.modules.get("hypothesis.core")
        if hypothesis and getattr(hypothesis, "global_force_seed", 0) is None:
            hypothesis.global_force_seed = 0
        if self.before_run:
            self.before_run(self)
        wanted = [test for test in tests if self.wants(name_of(test))]
        if self.trial:
            wanted.sort(key=lambda test: self.trial.place(name_of(test)))
        return wanted

    def begin_trial(self, request, on_over):
        """Runs the failing tests and, if enough pass, the tests that passed before; `on_over` does not return."""
        self.on_trial_over = on_over
        self.trial = Trial(request["trial"], request["only"])
        self.wanted = self.trial.failing | self.trial.passing
        self.seconds = request["seconds"]
        self.cpu_seconds = request["cpu_seconds"]

    def is_over(self):
        """If one of the requested tests never ends, no more are run."""
        if self.trial and self.trial.is_over(self.tests):
            self.on_trial_over()
        return (self.stop and self.failed) or (self.wanted is not None and self.overruns > 0)

    @contextmanager
    def running(self, test):
        """Wraps the run of a test: limits its time, and records the lines that it executes."""
        lines = {}
        if self.space.on_test:
            self.space.on_test(test)
        started = time.perf_counter()
        if self.watch:
            self.watch.notes, self.watch.last = [], ""
        if self.executed:
            self.executed.start(lines)
        self.start_clock()
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            if self.executed:
                self.executed.stop()
            entry = self.entry(test)
            entry["seconds"] = entry.get("seconds", 0) + time.perf_counter() - started
            add_lines(entry, lines)
            if self.watch:
                entry["missing"] = entry.get("missing", []) + self.watch.notes
                self.watch.notes = self.asked_before

    def start_clock(self):
        def ring(number, frame):
            raise TimeUp("took longer than %g s" % self.seconds)

        signal.signal(signal.SIGALRM, ring)
        if self.cpu_seconds is not None:
            signal.signal(signal.SIGPROF, ring)
            signal.setitimer(signal.ITIMER_PROF, self.cpu_seconds, 0.2)
        # Raised repeatedly, in case the code catches everything.
        seconds = self.seconds if self.overruns < 2 else min(self.seconds, 1)
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)

    def entry(self, test):
        return self.tests.setdefault(test, {"id": test, "outcome": None})

    def passed(self, test):
        entry = self.entry(test)
        if entry["outcome"] is None:
            entry["outcome"] = "passed"

    def skipped(self, test):
        self.entry(test)["outcome"] = "skipped"

    def failed_with(self, test, error, message=None):
        """`error` is the exception with its traceback."""
        entry = self.entry(test)
        if entry["outcome"] == "failed":
            return
        self.failed = True
        entry["outcome"] = "failed"
        entry["timeout"] = isinstance(error, TimeUp)
        self.overruns += isinstance(error, TimeUp)
        if self.trial:
            # Only the outcome counts, and describing it takes longer than most tests.
            return
        if self.watch:
            entry["missing"] = entry.get("missing", []) + self.watch.failed(error)
        text = message if message is not None else str(error)
        entry["type"] = type(error).__name__
        entry["message"] = shortened(text.strip())
        places = [(real_path(frame.f_code.co_filename), line, frame) for frame, line in frames_of(error)]
        ours = [place for place in places if place[0].startswith(self.inside)]
        entry["frames"] = [[name[len(self.inside) :], line] for name, line, _ in ours][-50:]
        entry.update(values_of(error, ours) or {})
        entry.update(pattern_values(error))

    def could_not_collect(self, text):
        self.failed = True
        if self.fault is None:
            self.fault = shortened(text.strip(), 2000)

    def note_time_up(self):
        self.failed = True
        if self.fault is None and not any(entry.get("timeout") for entry in self.tests.values()):
            self.fault = "Collecting the tests took longer than %g s." % self.seconds

    def report(self):
        if self.executed:
            self.executed.close()
            self.executed = None
            for entry in self.tests.values():
                if entry["outcome"] == "failed":
                    add_lines(entry, self.imported)
        if self.watch:
            self.watch.notes = None
            for entry in self.tests.values():
                entry["missing"] = entry.get("missing", []) + self.asked_before if entry["outcome"] == "failed" else []
        tests = [dict(entry, outcome=entry["outcome"] or "failed") for entry in self.tests.values()]
        return {"tests": tests, "fault": self.fault}


def add_lines(entry, lines):
    for path, numbers in lines.items():
        known = entry.setdefault("lines", {}).setdefault(path, [])
        known.extend(sorted(numbers - set(known)))


def frames_of(error):
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def values_of(error, ours):
    """What the failing assertion compared, evaluated again in place, inside the jail."""
    if not isinstance(error, AssertionError):
        return None
    for name, line, frame in reversed(ours):
        found = compared(name, line)
        if found is None:
            continue
        source, pair = found
        result = {"test": {"line": line, "source": source}}
        if pair is None:
            return result
        try:
            first, second = [
                eval(compile(ast.Expression(part), name, "eval"), frame.f_globals, frame.f_locals) for part in pair
            ]
        except BaseException:
            return result
        if not has_call(pair[0]) and has_call(pair[1]):
            first, second = second, first
        return dict(result, actual=shown(first), expected=shown(second))
    return None


def pattern_values(error):
    """What `pytest.raises(…, match=…)` compared: a pattern, and the message."""
    text = str(error) if type(error) is AssertionError else ""
    pattern = re.match(r"Regex pattern did not match\.\n.*?[Rr]egex: (.*)\n\s*(?:Input|Actual message): (.*)", text)
    if pattern:
        return {"expected": shortened(pattern[1]), "actual": shortened(pattern[2])}
    # A pattern without special characters is compared like a text.
    lines = re.match(r"\n- (.*)\n(?:\?.*\n)?\+ (.*)", text)
    return {"actual": shortened(lines[1]), "expected": shortened(lines[2])} if lines else {}


def compared(name, line):
    """The statement at a line and, if it is a comparison, its two operands."""
    lines = linecache.getlines(name)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    statements = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assert, ast.Expr)) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not statements:
        return None
    statement = max(statements, key=lambda node: node.lineno)
    source = " ".join(text.strip() for text in lines[statement.lineno - 1 : statement.end_lineno])
    if isinstance(statement, ast.Assert):
        test = statement.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
            right = test.comparators[0]
            if isinstance(right, ast.Call) and getattr(right.func, "attr", getattr(right.func, "id", "")) == "approx":
                right = right.args[0] if right.args else right
            return source, (test.left, right)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return source, (test.operand, ast.copy_location(ast.Constant(False), test))
        if isinstance(test, ast.Call):
            return source, (test, ast.copy_location(ast.Constant(True), test))
        return source, None
    call = statement.value
    if isinstance(call, ast.Call) and getattr(call.func, "attr", "").startswith("assert") and len(call.args) >= 1:
        method = call.func.attr
        if method in ("assertTrue", "assertFalse"):
            return source, (call.args[0], ast.copy_location(ast.Constant(method == "assertTrue"), call))
        same = ("assertEqual", "assertAlmostEqual", "assertIs", "assertListEqual", "assertDictEqual", "assertCountEqual")
        return source, tuple(call.args[:2]) if method in same and len(call.args) >= 2 else None
    return None


def has_call(node):
    return any(isinstance(inner, (ast.Call, ast.Attribute)) for inner in ast.walk(node))


def shown(value):
    return shortened(repr(value))


def shortened(text, longest=LONGEST):
    return text if len(text) <= longest else text[:longest] + "…"
