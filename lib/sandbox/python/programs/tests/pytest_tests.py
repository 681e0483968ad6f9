"""Runs tests with pytest in this process; fixtures, parameters, marks and classes are left to pytest."""

import os

from checks import TestsFault

OPTIONS = (
    '-s', '--noconftest', '--assert=plain', '-p', 'no:cacheprovider', '-p', 'no:terminal', '-p', 'no:faulthandler',
    '-p', 'no:threadexception', '-p', 'no:unraisableexception', '--log-file', 'pytest.log', '-c', 'pytest.ini', '--rootdir', '.',
)  # fmt: skip
DONE, FAILED, NOTHING = 0, 1, 5


def run(runner):
    """`runner` is a run_tests.Runner. Returns pytest's exit code."""
    import pytest

    for name in [name for name in os.environ if name.startswith('PYTEST')]:
        del os.environ[name]
    os.environ['PYTEST_DISABLE_PLUGIN_AUTOLOAD'] = '1'
    # pytest's log is a file too, since /dev/null may be read-only.
    for name, text in ((runner.file, runner.source), ('pytest.ini', '[pytest]\nmarkers =\n')):
        with open(name, 'w', encoding='utf-8', errors='surrogatepass') as file:
            file.write(text)
    already = set(runner.checks.ran)
    faults = []
    # Parameters may be results where there are results already: then an empty list of them checks nothing.
    may_be_results = runner.checks.conversation.last is not None
    left = {}  # cases that have not run yet, such as each of a parametrized test

    class Tests(pytest.Module):
        def _getobj(self):
            return runner.module

    class Plugin:
        def pytest_pycollect_makemodule(self, module_path, parent):
            return Tests.from_parent(parent, path=module_path)

        @pytest.hookimpl(tryfirst=True)
        def pytest_collection_modifyitems(self, items):
            items[:] = [item for item in items if line_of(item) not in already]
            left.update((item.nodeid, item.name) for item in items)

        @pytest.hookimpl(tryfirst=True)
        def pytest_pyfunc_call(self, pyfuncitem):
            test = pyfuncitem.obj
            if not getattr(getattr(test, '__code__', None), 'co_flags', 0) & 0x80:
                return None
            import asyncio

            wanted = pyfuncitem._fixtureinfo.argnames
            asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in wanted}))
            return True

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            report = (yield).get_result()
            if report.outcome == 'failed':
                error = call.excinfo.value if call.excinfo else AssertionError('%s succeeded unexpectedly' % item.name)
                unknown = type(error).__name__ == 'FixtureLookupError'
                runner.fail(TestsFault('ask for a fixture that is not there: %s' % error.argname) if unknown else error)
                item.session.shouldfail = 'a test failed'
            elif report.outcome == 'skipped' and may_be_results and 'got empty parameter set' in str(report.longrepr):
                runner.fail(AssertionError('%s has no cases' % item.originalname))
            elif report.outcome == 'skipped':
                runner.checks.ran.add(line_of(item))
            if call.when == 'call' or report.outcome == 'skipped':
                left.pop(item.nodeid, None)

        def pytest_internalerror(self, excinfo):
            is_theirs = hasattr(excinfo.value, 'hefix_origin')
            runner.fail(excinfo.value if is_theirs else TestsFault('make pytest fail: %s' % excinfo.value))
            return True

        def pytest_keyboard_interrupt(self, excinfo):
            runner.fail(excinfo.value)

        def pytest_collectreport(self, report):
            if report.outcome == 'failed':
                faults.append(' '.join(str(report.longrepr).split()[-60:]))

    status = pytest.main.__wrapped__([*OPTIONS, runner.file], plugins=[Plugin()])
    if faults:
        raise TestsFault('cannot be collected by pytest: %s' % faults[0])
    if status not in (DONE, FAILED, NOTHING) and runner.error is None:
        raise TestsFault('make pytest end with status %d' % status)
    if left and runner.error is None:
        raise TestsFault('would not have been run wholly: %s' % ', '.join(left.values()))
    return status


def line_of(item):
    test = getattr(item, 'obj', None)
    test = getattr(test, '__func__', test)
    while hasattr(test, '__wrapped__'):
        test = test.__wrapped__
    code = getattr(test, '__code__', None)
    return code.co_firstlineno if code else None
