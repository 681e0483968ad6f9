"""Judges tests and candidate in one process, the candidate's, for tests that need more than plain data.

The candidate shares that process with the tests, so it can forge a pass if it looks for the runner there; such a verdict
is called isolated. What is done against it: the runner's modules have builtins of their own and are in no table of
modules; the candidate loads before the tests are there; a pass needs the runner's own report, with a secret that is drawn
for the run, of every test; and the end of the process is never a pass. SECURITY.md says what is left.
"""

import os
import sys

from checks import Checks, TestsFault, shorten_text
from errors import BUILTINS, is_line
from helpers import MAIN, declared_names
from line import Refused
from prelude import names_used, prelude
from reach import CHECKS
from run_tests import Runner, entry_points, prepared

KINDS = ('passed', 'failed', 'raised', 'memory', 'signature', 'exited', 'not-serializable')
TEXTS = ('kind', 'message', 'expected', 'actual', 'source', 'type')
# What code of the candidate may not ask the interpreter for: it leads to the runner.
EVENTS = ('gc.get_objects', 'gc.get_referrers', 'gc.get_referents', 'sys._getframe', 'sys._current_frames', 'sys.settrace', 'sys.setprofile')


# In the judge's process


def judged(conversation, checks, candidate, tests, entry_point, declaration, seconds, seed):
    """The verdict. Raises what ended the conversation."""
    loaded = conversation.request('isolated', candidate, entry_points(entry_point)[0])
    if loaded != ['ready']:
        return None, loaded
    # The tests decide what is called from here on.
    conversation.loaded, conversation.count = True, 1
    secret = os.urandom(16).hex()
    report = conversation.request('tests', secret, tests, entry_point, declaration, seconds, seed)
    if type(report) is not list or len(report) != 4 or report[0] != secret:
        return unsigned(), None
    _, kind, found, ran = report
    if kind == 'fault' and type(found) is str:
        raise TestsFault(shorten_text(found))
    verdict = checked(found)
    if verdict is None:
        raise Refused('a verdict of another shape')
    missing = sorted({**checks.program.tests, **checks.program.unused}.keys() - set(ran))
    if verdict['kind'] == 'passed' and missing:
        return unsigned('for %s' % checks.program.tests.get(missing[0], 'all tests')), None
    return verdict, None


def unsigned(what='of the tests'):
    message = "The process of candidate and tests ended without their runner's report %s." % what
    return {'kind': 'failed', 'message': message}


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
            if is_line(value.get('line')) and value.get('line'):
                inner['line'] = value['line']
            if len(inner) != (2 if key == 'test' else len(value)):
                return None
            found[key] = inner
        else:
            return None
    return found


# In the candidate's process


class Alone:
    """The conversation that checks.py expects, for a run without one."""

    count, fatal, last, loaded, loading_seconds = 1, None, None, 0, 0


def hide():
    """Before the candidate loads: takes the runner out of its reach, as far as that is possible."""
    for name, module in list(sys.modules.items()):
        # Those of the sandbox were made without an import.
        if getattr(module, '__spec__', None) is None and name != MAIN:
            del sys.modules[name]
    busy = []

    def watch(event, _args):
        if event in EVENTS and not busy:
            busy.append(event)
            try:
                frame = sys._getframe(1)
            finally:
                busy.clear()
            if frame.f_code.co_filename == '<candidate>':
                raise PermissionError('%s is not there for a candidate' % event)

    sys.addaudithook(watch)


def run(space, secret, tests, entry_point, declaration, seconds, seed):
    """Returns the secret, 'verdict' and the verdict, or 'fault' and what is wrong with the tests, and the tests that ran."""
    checks = Checks(Alone(), None)
    try:
        checks.program, code = prepared(tests, entry_point)
        fill(space, declaration, names_used(code), seed)
        space['__name__'] = MAIN
        holder = CHECKS + secret
        space[holder] = checks
        runner = Runner(space, tests, checks, names_used(code))
        runner.run(renamed(code, CHECKS, holder), space.get(entry_points(entry_point)[0]))
        outcome = None
    except BaseException as error:
        outcome = error
    try:
        if isinstance(outcome, TestsFault):
            raise outcome
        return [secret, 'verdict', checks.verdict(outcome, entry_point, seconds), sorted(line for line in checks.ran if line)]
    except TestsFault as fault:
        return [secret, 'fault', str(fault), []]


def fill(space, declaration, used, seed):
    """Adds what the task's declaration and the harness define and the candidate does not."""
    for name, value in declared_names(declaration, seed).items():
        space.setdefault(name, value)
    for name in used - set(space):
        if name not in BUILTINS:
            try:
                space[name] = prelude(name, seed)
            except KeyError:
                pass


def renamed(code, old, new):
    """The code with another name for what it calls at each assertion, so that no candidate knows it beforehand."""
    names = tuple(new if name == old else name for name in code.co_names)
    constants = tuple(renamed(one, old, new) if type(one) is type(code) else one for one in code.co_consts)
    return code.replace(co_names=names, co_consts=constants)
