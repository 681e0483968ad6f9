"""Runs what a test program leaves to a test runner: check(candidate), test functions and classes, unittest, doctest.

Each runs once, unless the program already ran it. Tests that need pytest are run by pytest if it can be imported.
"""

import os
import sys

import pytest_tests
from asserts import rewrite
from checks import TestsFault
from helpers import MAIN


class TestsModule(type(sys)):
    """The module `__main__` that unittest, doctest and pytest see: the tests' names."""

    def __init__(self, names):
        super().__init__(MAIN)
        object.__setattr__(self, 'names', names)

    __dict__ = property(lambda self: self.names)
    __doc__ = property(lambda self: self.names.get('__doc__'))

    def __getattr__(self, name):
        if name in self.names:
            return self.names[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        self.names[name] = value

    def __delattr__(self, name):
        del self.names[name]

    def __dir__(self):
        return list(self.names)


class Runner:
    def __init__(self, names, source, checks, used):
        self.names = names
        self.source = source
        self.checks = checks
        self.used = used
        self.module = sys.modules[MAIN] = TestsModule(names)
        self.file = names['__file__'] = os.path.abspath('tests.py')
        sys.argv = [self.file]
        self.error = None  # the first failure that a runner did not report
        if 'unittest' in used:
            self.watch_unittest()
        if 'doctest' in used:
            self.watch_doctest()
        if 'pytest' in used:
            self.watch_pytest()

    def run(self, code, function):
        try:
            exec(code, self.names)
        except SystemExit as end:
            if hasattr(end, 'hefix_origin') or self.error is None and end.code not in (None, False, 0):
                raise
        self.run_rest(function)
        if self.error is not None:
            raise self.error

    def run_rest(self, function):
        check = self.names.get('check')
        if self.is_pending(check):
            # HumanEval's format leaves this call to its harness.
            check(function)
        if not self.error and self.pending():
            if 'pytest' in self.used or self.wants_fixtures():
                self.run_pytest()
            else:
                self.run_plainly()
        if not self.error:
            for name, value in list(self.names.items()):
                if name.startswith('test_') and is_test_without_def(value):
                    self.finish(value)
        program = self.checks.program
        if not self.error and program.examples and not ('doctest' in self.used and program.assertions):
            self.run_docstrings()

    def run_docstrings(self):
        self.watch_doctest()
        sys.modules['doctest'].testmod(self.module)
        if self.error is not None and self.checks.program.assertions:
            # Nothing says that these examples are tests.
            raise TestsFault('hold examples in docstrings that fail: %s' % self.error)

    def pending(self):
        """The lines of the tests that have not run yet."""
        return set(self.checks.program.tests) - self.checks.ran

    def is_pending(self, test):
        # The candidate's function may have this name too.
        code = test.__code__ if type(test) is FUNCTION else None
        return code is not None and code.co_filename == '<tests>' and code.co_firstlineno in self.pending()

    def tests(self):
        """Test functions, and test classes with the names of their tests, except unittest's."""
        for name, value in list(self.names.items()):
            if isinstance(value, type):
                for kind in test_classes(name, value):
                    found = [each for base in reversed(kind.__mro__) for each in base.__dict__ if each.startswith('test')]
                    yield kind, list(dict.fromkeys(found))
            elif name.startswith('test') and callable(value) and self.is_of_tests(value):
                yield value, None

    def is_of_tests(self, value):
        while hasattr(value, '__wrapped__'):
            value = value.__wrapped__
        code = getattr(value, '__code__', None)
        return code is not None and code.co_filename == '<tests>' and code.co_firstlineno not in self.checks.ran

    def wants_fixtures(self):
        for test, methods in self.tests():
            if any(required(getattr(test, name)) > 1 for name in methods or ()) or methods is None and required(test):
                return True
        return False

    def run_plainly(self):
        unittest = sys.modules.get('unittest')
        if unittest and any(is_unittest(value) for value in self.names.values()):
            self.run_unittest()
        tests = list(self.tests())
        if not tests or self.error:
            return
        self.call('setup_module')
        for test, methods in tests:
            if methods is None:
                self.call('setup_function')
                self.finish(test)
                self.call('teardown_function')
            else:
                self.run_class(test, methods)
        self.call('teardown_module')

    def run_class(self, kind, methods):
        for fixture in ('setup_class', 'setup_method', 'teardown_method', 'teardown_class'):
            if required(getattr(kind, fixture, None)) > 1:
                return self.run_pytest()
        self.call('setup_class', kind)
        for name in methods:
            one = kind()
            self.call('setup_method', one)
            self.finish(getattr(one, name))
            self.call('teardown_method', one)
        self.call('teardown_class', kind)

    def call(self, name, owner=None):
        function = getattr(self.module if owner is None else owner, name, None)
        if callable(function):
            function()

    def finish(self, test):
        try:
            result = test()
            if type(result).__name__ == 'coroutine':
                import asyncio

                asyncio.run(result)
        except BaseException as error:
            if not is_skip(error):
                raise
            self.skip(test)

    def skip(self, test):
        """Tests that are marked to be skipped."""
        while hasattr(test, '__wrapped__'):
            test = test.__wrapped__
        code = getattr(test, '__code__', None)
        self.checks.ran.add(code.co_firstlineno if code else None)

    def fail(self, error):
        if self.error is None:
            self.error = error

    # unittest

    def watch_unittest(self):
        import unittest

        def first(result, test, problem):
            self.fail(problem[1])
            result.shouldStop = True

        def skipped(result, test, reason):
            result.skipped.append((test, reason))
            for name in [test._testMethodName] if hasattr(test, '_testMethodName') else []:
                self.skip(getattr(type(test), name))

        def unexpected(result, test):
            self.fail(AssertionError('%s succeeded, where it is expected to fail' % test))

        def of_subtest(result, test, subtest, problem):
            if problem is not None:
                first(result, test, problem)

        unittest.TestResult.addFailure = unittest.TestResult.addError = first
        unittest.TestResult.addSkip, unittest.TestResult.addUnexpectedSuccess = skipped, unexpected
        unittest.TestResult.addSubTest = of_subtest
        unittest.main = unittest.TestProgram = lambda *_args, **_options: self.run_unittest()

    def run_unittest(self):
        import unittest

        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromModule(self.module).run(result)
        self.result = result
        return self

    # doctest

    def watch_doctest(self):
        import doctest

        def failed(runner, _out, test, example, got):
            message = '%s gave %s, but the tests want %s' % (example.source.strip(), got.strip(), example.want.strip())
            self.fail(AssertionError(message))

        def raised(runner, _out, test, example, problem):
            self.fail(problem[1])

        runner = doctest.DocTestRunner
        runner.report_start = lambda *_args: None
        runner.report_success = lambda *_args: self.checks.held()
        runner.report_failure, runner.report_unexpected_exception = failed, raised

    # pytest

    def watch_pytest(self):
        try:
            import pytest
        except ImportError:
            return
        if hasattr(pytest.main, '__wrapped__'):
            return
        original = pytest.main

        def main(*_args, **_options):
            return self.run_pytest()

        main.__wrapped__ = original
        pytest.main = main

    def run_pytest(self):
        names = ', '.join(self.checks.program.tests[line] for line in sorted(self.pending()))
        self.watch_pytest()
        if 'pytest' not in sys.modules:
            raise TestsFault('need pytest, which this Python does not have, for %s' % names)
        return pytest_tests.run(self)


def test_classes(name, kind):
    """A class of tests that are not unittest's, and those inside it."""
    if name.startswith('Test') and not is_unittest(kind) and kind.__module__ == MAIN:
        yield kind
        for inner, value in list(kind.__dict__.items()):
            if isinstance(value, type):
                yield from test_classes(inner, value)


def is_test_without_def(value):
    """Whether it is a lambda, or a function of the tests with some of its arguments given, and can be called as it is."""
    partial = getattr(sys.modules.get('functools'), 'partial', ())
    function = value.func if isinstance(value, partial) else value
    given = len(value.args) + len(value.keywords) if isinstance(value, partial) else 0
    code = function.__code__ if type(function) is FUNCTION else None
    if code is None or code.co_filename != '<tests>' or required(function) > given:
        return False
    return function is not value or code.co_name == '<lambda>'


def is_unittest(value):
    unittest = sys.modules.get('unittest')
    return unittest is not None and isinstance(value, type) and issubclass(value, unittest.TestCase)


def is_skip(error):
    """Whether it is the tests' own; a class of the candidate may have the same name."""
    modules = (('unittest', 'SkipTest'), ('_pytest.outcomes', 'Skipped'))
    kinds = [getattr(sys.modules.get(module), name, None) for module, name in modules]
    return not hasattr(error, 'hefix_origin') and any(type(error) is kind for kind in kinds)


def required(function):
    """The number of arguments that a function requires, including `self`."""
    function = getattr(function, '__func__', function)
    while hasattr(function, '__wrapped__'):
        function = function.__wrapped__
    code = getattr(function, '__code__', None)
    if code is None:
        return 0
    keywords = code.co_kwonlyargcount - len(function.__kwdefaults__ or ())
    return code.co_argcount - len(function.__defaults__ or ()) + max(keywords, 0)


def prepared(tests, entry_point, are_proving=False):
    """`are_proving`: whether two processes are to judge, where they can."""
    try:
        program = rewrite(tests, entry_points(entry_point) if are_proving else ())
        code = compile(program.tree, '<tests>', 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        line = getattr(fault, 'lineno', None)
        raise TestsFault('do not parse: %s%s' % (getattr(fault, 'msg', fault), ' (line %s)' % line if line else ''))
    names = entry_points(entry_point)
    program.examples = [text for text in program.docstrings if any(name in text for name in names)]
    if not program.assertions + program.other_assertions and not program.examples:
        raise TestsFault('assert nothing')
    if not program.names.intersection(names) and 'check' not in program.tests.values() and not program.examples:
        raise TestsFault('never call %s' % entry_point)
    return program, code


def entry_points(text):
    """The names in a comma-separated text."""
    return [name.strip() for name in text.split(',')]


FUNCTION = type(is_unittest)
