"""Runs pytest with a plugin that is passed in memory, so nothing is installed."""

import io
import sys

import pytest

from standard_tests import last_line

# Plugins that start processes, shuffle tests, write into the project, or only cost time here.
LEFT_OUT = (
    "cacheprovider cov faulthandler junitxml pastebin randomly setuponly setupplan stepwise threadexception"
    " unraisableexception xdist"
).split()

ARGUMENTS = [
    *(word for name in LEFT_OUT for word in ("-p", "no:" + name)),
    *("-q", "--no-header", "--no-summary", "--capture=sys", "--tb=no", "--continue-on-collection-errors", "-o", "addopts="),
]


def run_pytest(space, settings, paths, recorder):
    plugin = Plugin(recorder)
    chosen = paths if recorder.wanted is None else [test for test in recorder.order if "::" in test]
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        code = pytest.main([*ARGUMENTS, "--rootdir", space.root, *chosen], plugins=[plugin])
        words = [line for line in sys.stderr.getvalue().splitlines() if line.strip()] or ["pytest failed."]
    finally:
        sys.stdout, sys.stderr = streams
    # 3: internal error; 4: usage error, or the tests do not exist.
    if code in (3, 4) and recorder.fault is None:
        recorder.could_not_collect(words[-1])


class Plugin:
    def __init__(self, recorder):
        self.recorder = recorder

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        session.items[:] = self.recorder.collected(session.items, lambda item: item.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_itemcollected(self, item):
        # Nobody reads the description of a failure, and creating it takes longer than most tests.
        item.repr_failure = lambda excinfo, *_: type(excinfo.value).__name__

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        with self.recorder.running(item.nodeid):
            yield
        if self.recorder.is_over():
            # Setting shouldstop instead would describe a traceback.
            del item.session.items[item.session.items.index(item) + 1 :]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        result = yield
        report = result.get_result()
        if report.outcome == "failed" and call.excinfo is not None:
            error = call.excinfo.value
            self.recorder.failed_with(item.nodeid, error, plain_message(error))
        elif report.outcome == "failed":
            self.recorder.failed_with(item.nodeid, AssertionError(str(report.longrepr)))
        elif report.outcome == "skipped":
            self.recorder.skipped(item.nodeid)
        elif report.when == "call":
            self.recorder.passed(item.nodeid)

    def pytest_collectreport(self, report):
        if report.failed:
            lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
            words = [line[1:].strip() for line in lines if line.startswith("E ")]
            self.recorder.could_not_collect((words or lines or ["unknown"])[-1])

    def pytest_internalerror(self, excrepr, excinfo):
        self.recorder.could_not_collect(last_line(excinfo.value))
        return True


def plain_message(error):
    return str(error).split("\n")[0]
