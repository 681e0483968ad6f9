"""Runs unittest and doctest as the standard library does."""

import doctest
import importlib
import os
import re
import sys
import traceback
import unittest


def module_name(path):
    return os.path.splitext(path)[0].replace(os.sep, ".")


def import_file(space, path):
    """Imports a project's module by its path: as part of its package if it has one, else from its own folder."""
    folder, name = os.path.split(path)
    packages = []
    while folder and os.path.exists(os.path.join(space.root, folder, "__init__.py")):
        folder, package = os.path.split(folder)
        packages.insert(0, package)
    place = os.path.join(space.root, folder) if folder else space.root
    if place not in sys.path:
        sys.path.insert(0, place)
    return importlib.import_module(".".join(packages + [os.path.splitext(name)[0]]))


def last_line(error):
    lines = traceback.format_exception_only(type(error), error)
    return said_last(lines) if lines else type(error).__name__


PLACE = re.compile(r'\s*File "(.*)", line (\d+)$')


def said_last(lines):
    """The last line; for a syntax error, which has the place above it, with file and line."""
    last = " ".join(lines[-1].split())
    places = [PLACE.match(line.rstrip()) for line in lines[-4:-1]]
    if not last.startswith(("SyntaxError", "IndentationError", "TabError")) or not any(places):
        return last
    path, line = [place for place in places if place][-1].groups()
    return "%s, line %s: %s" % (path.replace(os.getcwd() + os.sep, ""), line, last)


class Result(unittest.TestResult):
    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder
        self.running = None

    def startTest(self, test):
        super().startTest(test)
        self.running = self.recorder.running(test.id())
        self.running.__enter__()

    def stopTest(self, test):
        super().stopTest(test)
        self.running.__exit__(None, None, None)
        if self.recorder.is_over():
            self.stop()

    def addSuccess(self, test):
        self.recorder.passed(test.id())

    def addExpectedFailure(self, test, err):
        self.recorder.skipped(test.id())

    def addSkip(self, test, reason):
        self.recorder.skipped(test.id())

    def addFailure(self, test, err):
        self.recorder.failed_with(test.id(), err[1])

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.recorder.failed_with(test.id(), err[1])


def run_unittest(space, settings, paths, recorder):
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    try:
        for path in paths:
            if os.path.isdir(os.path.join(space.root, path)):
                suite.addTests(loader.discover(os.path.join(space.root, path), top_level_dir=space.root))
            else:
                suite.addTests(loader.loadTestsFromModule(import_file(space, path)))
        if not paths:
            suite.addTests(loader.discover(space.root))
    except BaseException as error:
        recorder.could_not_collect(last_line(error))
        return
    for error in loader.errors:
        recorder.could_not_collect(error.strip().splitlines()[-1])
    wanted = recorder.collected(list(flat(suite)), lambda test: test.id())
    unittest.TestSuite(wanted).run(Result(recorder))


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        elif type(test).__name__ != "_FailedTest":
            yield test


class ExampleFailed(AssertionError):
    """A docstring example returned something else."""


class Runner(doctest.DocTestRunner):
    def __init__(self):
        super().__init__(verbose=False)
        self.failure = None

    def report_start(self, out, test, example):
        pass

    def report_success(self, out, test, example, got):
        pass

    def report_failure(self, out, test, example, got):
        self.failure = self.failure or (example, got.strip(), None)

    def report_unexpected_exception(self, out, test, example, exc_info):
        self.failure = self.failure or (example, last_line(exc_info[1]), exc_info[1])


def run_doctests(paths, recorder):
    """The examples in docstrings of modules. A test is an object with examples."""
    space = recorder.space
    found = []
    for path in paths:
        try:
            module = import_file(space, path)
            tests = doctest.DocTestFinder(exclude_empty=True).find(module)
        except BaseException as error:
            recorder.could_not_collect(last_line(error))
            return
        for test in tests:
            name = "%s::%s" % (path, test.name[len(module.__name__) + 1 :] or "module")
            if test.examples:
                found.append((name, test))
    for name, test in recorder.collected(found, lambda each: each[0]):
        run_doctest(test, name, recorder)
        if recorder.is_over():
            return


def run_doctest(test, name, recorder):
    runner = Runner()
    out = sys.stdout
    try:
        with recorder.running(name):
            runner.run(test, out=lambda text: None, clear_globs=False)
    except BaseException as error:
        sys.stdout = out
        recorder.failed_with(name, error)
        return
    if runner.failure is None:
        recorder.passed(name)
        return
    example, got, error = runner.failure
    reason = error or ExampleFailed("%s gave %s" % (example.source.strip(), got))
    recorder.failed_with(name, reason)
    line = (test.lineno or 0) + example.lineno + 1
    entry = recorder.entry(name)
    entry["test"] = {"line": line, "source": example.source.strip()}
    entry.update(expected=example.want.strip()[:400], actual=got[:400])
