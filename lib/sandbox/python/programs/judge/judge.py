"""The process that decides. It runs the tests and none of the candidate's code.

Entry points are functions that send and receive plain data, so every comparison is between this process's own values.

A message is a text preceded by its length in four bytes, little-endian.
Request: eight messages: candidate, tests, entry point, the task's declaration, milliseconds, `auto`, or `isolated`
to run candidate and tests in one process (see isolated.py), the seed of this process's random numbers, and `counts` if
assertions are to be counted after a failure.
Report: "started" when the time limit starts, then JSON: {"verdict": {...}}; {"isolate": "..."} (the tests need more than
plain data); {"fault": "..."} (they are invalid) or {"broken": "..."} (the sandbox failed).
After a verdict with "counting": true comes {"counts": {"passed": 2, "failed": 5, "failing": [{"line": 3, "source": "..."}, ...]}},
with "partial": true if some assertions were not reached.
"""

import _signal
import os
import sys
from _json import encode_basestring_ascii
from time import monotonic

from calls import CHANNEL, Calls, Isolate
from checks import Checks, TestsFault, TimeUp, shorten_text
from counting import count, may_count
from declared import Declared
from errors import MAX_TEXT, is_line
from forker import fork_jails
from frames import give, take
from helpers import MAIN, declared_names
from isolated import judged
from line import Lost, Refused, give_empty_input, limit_stacks, without_mark
from needs import needs, takes_iterators
from prelude import names_used, prelude
from reach import CHECKS
from run_tests import Runner, entry_points, prepared

# For the tests' own recursion; encoding and decoding needs more.
RECURSION_LIMIT = 6_000
# Modules that tests often import.
OFTEN_USED = ('math', 'random', 'copy', 'string')


def main(count):
    """Forks a judge per execution. This process runs neither tests nor candidates."""
    fork_jails(int(count), ((0, 1), (CHANNEL,)), OFTEN_USED, run_judge)


def run_judge():
    """Inside a closed jail: request on descriptor 0, report on 1, the candidate on 3."""
    request, report = os.dup(0), os.dup(1)
    give_empty_input()
    limit_stacks()
    # What the tests print goes where nobody reads a report.
    os.dup2(2, 1)
    sys.setrecursionlimit(RECURSION_LIMIT)
    texts = [take(request).decode() for _ in range(8)]
    try:
        outcome = judge(report, *texts)
    except TestsFault as fault:
        outcome = {'fault': str(fault)}
    except Isolate as what:
        outcome = {'isolate': str(what)}
    except Broken as what:
        outcome = {'broken': str(what)}
    give(report, json(outcome).encode())
    os._exit(0)


class Broken(BaseException):
    """The sandbox did not work, which says nothing about the candidate."""


def judge(report, candidate, tests, entry_point, declaration, milliseconds, mode, seed, wanted):
    calls = Calls()

    def time_up(_number, _frame):
        calls.fatal = calls.fatal or TimeUp()
        raise calls.fatal

    try:
        calls.receive()
    except Lost:
        raise Broken('the process for the candidate ended before it was given the candidate') from None
    # Sent when the time is up.
    _signal.signal(_signal.SIGALRM, time_up)
    give(report, b'started')
    seconds = int(milliseconds) / 1000
    tests = without_mark(tests)
    checks = Checks(calls, None)
    try:
        if mode == 'isolated':
            checks.program, _ = prepared(tests, entry_point)
            verdict, loaded = judged(calls, checks, candidate, tests, entry_point, declaration, seconds, seed)
            return {'verdict': verdict or not_loaded(loaded, entry_point)}
        # The candidate loads while the tests are made ready.
        asked_to_load = monotonic()
        names = entry_points(entry_point)
        calls.send('["load",%s,%s]' % (encode_basestring_ascii(candidate), encode_basestring_ascii(names[0])))
        checks.program, code = prepared(tests, entry_point, are_proving=True)
        space = declared_names(declaration, seed)
        reason = needs(checks.program, names, dict(space))
        if reason:
            raise Isolate(reason)
        loaded = calls.settle()
        if loaded != ['ready']:
            return {'verdict': not_loaded(loaded, entry_point)}
        calls.loaded = monotonic()
        calls.loading_seconds = calls.loaded - asked_to_load
        run(tests, code, names, space, seed, calls, checks)
        outcome = None
    except BaseException as error:
        outcome = error
    _signal.signal(_signal.SIGALRM, _signal.SIG_IGN)
    outcome = calls.fatal or outcome
    if isinstance(outcome, (TestsFault, Isolate, Broken)):
        raise outcome
    verdict = checks.verdict(outcome, entry_point, seconds)
    if wanted and verdict['kind'] in ('failed', 'raised') and not calls.fatal and checks.counted is not None:
        give(report, json({'verdict': verdict, 'counting': True}).encode())
        count(checks, lambda counts: end(report, counts))
    return {'verdict': verdict}


def end(report, counts):
    give(report, json({'counts': counts}).encode())
    os._exit(0)


def run(source, code, entry_points, space, seed, calls, checks):
    used = names_used(code)
    if 'random' in used:
        prelude('random', seed)
    declared = calls.declared
    for name, kind in Declared(space, MAIN).classes.items():
        declared.share(name, kind)
    declared.at_end = Refused('an iterator of more items than can be sent')
    iterators = takes_iterators(checks.program, entry_points, dict(space))
    if declared.classes or iterators:
        calls.request('declared', list(declared.classes), iterators)
    space[CHECKS] = checks
    runner = Runner(space, source, checks, used)
    for name in entry_points:
        space[name] = calls.function(name)
    function = space[entry_points[0]]
    if may_count(used):
        checks.counted = source, space, function, entry_points
    runner.run(code, function)


def not_loaded(loaded, entry_point):
    if type(loaded) is list and len(loaded) == 3 and loaded[0] == 'syntax':
        message, line = shorten_text(str(loaded[1])), loaded[2]
        line = line if is_line(line) and line else 1
        exception = {'type': 'SyntaxError', 'message': message, 'line': line}
        return {'kind': 'syntax', 'message': '%s (line %d).' % (message, line), 'exception': exception}
    if loaded == ['empty']:
        return {'kind': 'no-code', 'message': 'There is no code.'}
    return {'kind': 'signature', 'message': 'There is no function %s.' % entry_point}


def json(value):
    """JSON of dicts, lists, strings, integers and True; the json module would double the time that this process takes to start."""
    if type(value) is dict:
        return '{%s}' % ', '.join('%s: %s' % (json(key), json(item)) for key, item in value.items())
    if type(value) is list:
        return '[%s]' % ', '.join(map(json, value))
    if value is True:
        return 'true'
    return encode_basestring_ascii(value[:MAX_TEXT]) if type(value) is str else repr(value)
