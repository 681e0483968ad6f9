"""Runs pytest with a plugin that is passed in memory, so nothing is installed."""

import io
import sys
from importlib.util import find_spec

import pytest
from _pytest.capture import CaptureIO

from standard_tests import last_line, said_last

# Plugins that start processes, shuffle tests, write into the project, or only cost time here.
LEFT_OUT = (
    "cacheprovider cov faulthandler junitxml pastebin randomly setuponly setupplan stepwise threadexception"
    " unraisableexception xdist"
).split()

# pytest captures in files unless told otherwise, so that code may ask for the number of its output, or whether that is a
# terminal. Files would cost time here.
CaptureIO.fileno = lambda stream: 1

# They override those of the project's `addopts`.
ARGUMENTS = ["-q", "--no-header", "--no-summary", "--capture=sys", "--tb=no", "--continue-on-collection-errors", "--maxfail=0"]

# Ways to start pytest. The next one is used if pytest refuses to start, as it does if a plugin that is left out has
# options or settings in the project's configuration.
WAYS = (
    [word for name in LEFT_OUT for word in ("-p", "no:" + name)],
    ["-p", "no:randomly"]
    + (["-n0"] if find_spec("xdist") else [])
    + (["--no-cov"] if find_spec("pytest_cov") else []),
    [*(word for name in LEFT_OUT for word in ("-p", "no:" + name)), "-o", "addopts="],
)
STARTED = "pytest starts"


def run_pytest(space, settings, paths, recorder):
    """Runs the tests at the paths; those that pytest finds in the project if there are none."""
    chosen = paths if recorder.wanted is None else [test for test in recorder.order if "::" in test]
    arguments = [*ARGUMENTS, "--rootdir", space.root, *chosen]
    if recorder.wanted is not None and not chosen:
        return
    for way in [settings[STARTED]] if STARTED in settings else WAYS:
        plugin = Plugin(recorder)
        code, complaint = started([*way, *arguments], plugin)
        if plugin.has_collected or code not in REFUSED:
            settings[STARTED] = way
            break
    if code in REFUSED and recorder.fault is None:
        recorder.could_not_collect(complaint)


def load_plugins(space):
    """Runs pytest in an empty folder, where it does not find the project."""
    with space.without_project() as folder:
        started([*WAYS[0], *ARGUMENTS, "--rootdir", folder, folder], None)


# An internal error; a usage error, or the tests do not exist.
REFUSED = (3, 4)


def started(arguments, plugin):
    """The exit code, and pytest's last words."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        code = pytest.main(arguments, plugins=[plugin] if plugin else [])
        words = [line for line in sys.stderr.getvalue().splitlines() if line.strip()] or ["pytest failed."]
        return code, words[-1]
    except Exception as error:
        # A warning about the configuration, if the project makes warnings errors.
        return 3, last_line(error)
    finally:
        sys.stdout, sys.stderr = streams


class Plugin:
    def __init__(self, recorder):
        self.recorder = recorder
        self.has_collected = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.has_collected = True
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
            self.recorder.could_not_collect(said_last(words or lines or ["unknown"]))

    def pytest_internalerror(self, excrepr, excinfo):
        self.recorder.could_not_collect(last_line(excinfo.value))
        return True


def plain_message(error):
    return str(error).split("\n")[0]
