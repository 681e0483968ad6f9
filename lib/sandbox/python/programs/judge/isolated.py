"""Runs candidate and tests in one process, for users' own projects whose tests need more than two processes can
carry.

The candidate could change the outcome, so such a verdict is called isolated.
"""

from checks import Checks, TestsFault
from prelude import names_used, prelude
from reach import CHECKS
from run_tests import MAIN, Runner

KINDS = ('passed', 'failed', 'raised', 'memory', 'syntax', 'signature', 'no-code', 'exited')
TEXTS = ('kind', 'message', 'expected', 'actual', 'source', 'type')


class Alone:
    """The conversation that checks.py expects, for a run without one."""

    calls, asked, fatal, last, compared, surroundings, loaded = 1, True, None, None, None, None, 0

    def is_stand_in(self, _value):
        return False


class NoSurroundings:
    wrote = None

    def watch_pytest(self):
        pass


def run(space, prepared, tests, entry_point, seconds):
    """Returns 'verdict' and the verdict, or 'fault' and what is wrong with the tests."""
    checks = Checks(Alone(), None)
    try:
        checks.program, code = prepared(tests)
        used = names_used(code)
        for name in used - set(space):
            try:
                space[name] = prelude(name)
            except KeyError:
                pass
        space['__name__'] = MAIN
        space[CHECKS] = checks
        runner = Runner(space, tests, checks, used, NoSurroundings())
        names = [name.strip() for name in entry_point.split(',')]
        runner.run(code, space[names[0]])
        outcome = None
    except BaseException as error:
        outcome = error
    try:
        if isinstance(outcome, TestsFault):
            raise outcome
        return 'verdict', checks.verdict(outcome, entry_point, seconds)
    except TestsFault as fault:
        return 'fault', str(fault)


def checked(verdict):
    """Validates a verdict from a process in which a candidate ran; None if it does not have the expected shape."""
    if type(verdict) is not dict or verdict.get('kind') not in KINDS or type(verdict.get('message')) is not str:
        return None
    found = {}
    for key, value in verdict.items():
        if key in TEXTS and type(value) is str:
            found[key] = value[:2000]
        elif key in ('test', 'exception') and type(value) is dict:
            inner = {name: value[name] for name in ('type', 'message', 'source') if type(value.get(name)) is str}
            if type(value.get('line')) is int and 0 < value['line'] < 10_000_000:
                inner['line'] = value['line']
            if len(inner) != (2 if key == 'test' else len(value)):
                return None
            found[key] = inner
        else:
            return None
    return found
