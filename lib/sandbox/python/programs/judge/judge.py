"""The process that decides. It runs the tests and none of the candidate's code.

Names of the candidate's module are stand-ins that send and receive plain data, so every comparison is between this
process's own values.

A message is a text preceded by its length in four bytes, little-endian.
Request: eight messages: candidate, tests, entry point, the task's declaration, milliseconds, `proven`, or `isolated`
to run candidate and tests in one process (see isolated.py), the seed of this process's random numbers, and `counts` if
assertions are to be counted after a failure.
Report: "started" when the time limit starts, then JSON: {"verdict": {...}}, with "unproven": true if the candidate's
own code decided a comparison; {"fault": "..."} (the tests are invalid) or {"broken": "..."} (the sandbox failed).
After a verdict with "counting": true comes {"counts": {"passed": 2, "failed": 5, "failing": [{"line": 3, "source": "..."}, ...]}},
with "partial": true if some assertions were not reached.
"""

import _signal
import os
import sys
from _json import encode_basestring_ascii
from struct import pack, unpack
from time import monotonic

from assigned import Assigned, data_names
from checks import Checks, TestsFault, TimeUp, shorten_text
from counting import count, may_count
from errors import MAX_TEXT, is_line
from evaluated import refuse_foreign_code
from isolated import checked
from judge_peer import JudgePeer
from line import Lost, Refused, give_empty_input, limit_stacks, without_mark
from names import Names
from prelude import names_used, prelude
from reach import CHECKS
from run_tests import MAIN, Runner, entry_points, prepared
from surroundings import Surroundings

# For the tests' own recursion; encoding and decoding needs more.
RECURSION_LIMIT = 6_000


def main():
    """Inside a closed jail: request on descriptor 0, report on 1, the candidate on 3."""
    request, report = os.dup(0), os.dup(1)
    give_empty_input()
    limit_stacks()
    # What the tests print goes where nobody reads a report.
    os.dup2(2, 1)
    sys.setrecursionlimit(RECURSION_LIMIT)
    texts = [read_text(request) for _ in range(8)]
    try:
        outcome = judge(report, *texts)
    except TestsFault as fault:
        outcome = {'fault': str(fault)}
    except Broken as what:
        outcome = {'broken': str(what)}
    tell(report, json(outcome))
    os._exit(0)


class Broken(BaseException):
    """The sandbox did not work, which says nothing about the candidate."""


def judge(report, candidate, tests, entry_point, declaration, milliseconds, mode, seed, wanted):
    peer = JudgePeer()

    def time_up(_number, _frame):
        peer.fatal = peer.fatal or TimeUp()
        raise peer.fatal

    try:
        peer.turn.acquire()
        peer.serve(peer.read_message())
        peer.let_go()
    except Lost:
        raise Broken('the process for the candidate ended before it was given the candidate') from None
    # Sent when the time is up.
    _signal.signal(_signal.SIGALRM, time_up)
    tell(report, 'started')
    checks = Checks(peer, None)
    try:
        if mode == 'isolated':
            return judge_isolated(peer, candidate, tests, entry_point, milliseconds)
        # The candidate loads while the tests are made ready.
        asked_to_load = monotonic()
        with peer.turn:
            peer.begin('load', (candidate, entry_points(entry_point)[0]))
        tests = without_mark(tests)
        checks.program, code = prepared(tests, entry_point)
        with peer.turn:
            loaded = peer.settle()
        if not is_ready(loaded):
            return {'verdict': not_loaded(loaded, entry_point)}
        peer.globals_read = set(loaded[1])
        peer.loaded = monotonic()
        peer.loading_seconds = peer.loaded - asked_to_load
        run(tests, code, entry_point, declaration, seed, peer, checks)
        outcome = None
    except BaseException as error:
        outcome = error
    _signal.signal(_signal.SIGALRM, _signal.SIG_IGN)
    outcome = peer.fatal or outcome
    if isinstance(outcome, TestsFault):
        raise outcome
    verdict = checks.verdict(outcome, entry_point, int(milliseconds) / 1000)
    if wanted and verdict['kind'] in ('failed', 'raised') and not peer.fatal and checks.counted is not None:
        tell(report, json({'verdict': verdict, 'counting': True}))
        count(checks, lambda counts: end(report, counts))
    return {'verdict': verdict, 'unproven': True} if checks.unproven else {'verdict': verdict}


def end(report, counts):
    tell(report, json({'counts': counts}))
    os._exit(0)


def judge_isolated(peer, candidate, tests, entry_point, milliseconds):
    # Loading and calls are not seen from here.
    peer.loaded, peer.asked = monotonic(), True
    kind, found = peer.request('isolated', (candidate, tests, entry_point, int(milliseconds) / 1000))
    if kind == 'fault' and type(found) is str:
        raise TestsFault(shorten_text(found))
    if kind == 'loaded':
        return {'verdict': not_loaded(found, entry_point)}
    verdict = checked(found)
    if verdict is None:
        peer.end(Refused('a verdict of another shape'))
    return {'verdict': verdict}


def run(source, code, entry_point, declaration, seed, peer, checks):
    for module in names_used(code).intersection(('random', 'numpy')):
        begin_with(module, seed)
    names = Names(peer, entry_points(entry_point), seed)
    names['__name__'] = MAIN
    names[CHECKS] = checks
    define_helpers(declaration, names)
    declared = data_names(names) - {CHECKS}
    peer.program = peer.escaped.program = checks.program
    used = names_used(code)
    surroundings = peer.surroundings = Surroundings(peer, source, checks.program, used | parameters(code))
    runner = Runner(names, source, checks, used, surroundings)
    peer.share_declared(names)
    for name in names.entry_points:
        names[name] = peer.subject(name, names.get(name))
    function = names[names.entry_points[0]]
    surroundings.assigned = Assigned(peer, names, declared, checks.program.assigned, peer.globals_read)
    surroundings.start()
    refuse_foreign_code(peer, source, names)
    if may_count(used):
        checks.counted = source, names, function
    try:
        runner.run(code, function)
    finally:
        surroundings.finish()
    peer.finish()


def begin_with(module, seed):
    try:
        prelude(module, seed)
    except KeyError:
        # It is not installed, which the tests will notice.
        pass


def parameters(code):
    """The names of all parameters: pytest's fixtures are among them."""
    names = set(code.co_varnames[: code.co_argcount])
    for constant in code.co_consts:
        if type(constant) is type(code):
            names |= parameters(constant)
    return names


def define_helpers(declaration, names):
    """Runs the task's own helpers here: the tests compare with what they give, so they must not be the candidate's."""
    for program in bodies(declaration.rstrip()):
        try:
            code = compile(program, '<declaration>', 'exec', dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        return exec(code, names)


def bodies(declaration):
    """The declaration with a body, as its last line may be indented or not, and as it is."""
    last = declaration.rpartition('\n')[2]
    indent = last[: len(last) - len(last.lstrip())]
    for space in (indent, '    ', '  ', '\t'):
        yield '%s\n%spass\n' % (declaration, space)
    yield declaration + ' pass\n'
    yield declaration


def is_ready(loaded):
    return type(loaded) is tuple and len(loaded) == 2 and loaded[0] == 'ready' and is_names(loaded[1])


def is_names(value):
    return type(value) is list and all(type(name) is str for name in value)


def not_loaded(loaded, entry_point):
    if type(loaded) is tuple and len(loaded) == 3 and loaded[0] == 'syntax':
        message, line = shorten_text(str(loaded[1])), loaded[2]
        line = line if is_line(line) and line else 1
        exception = {'type': 'SyntaxError', 'message': message, 'line': line}
        return {'kind': 'syntax', 'message': '%s (line %d).' % (message, line), 'exception': exception}
    if loaded == ('empty',):
        return {'kind': 'no-code', 'message': 'There is no code.'}
    return {'kind': 'signature', 'message': 'There is no function %s.' % entry_point}


def read_text(descriptor):
    length = unpack('<I', read(descriptor, 4))[0]
    return read(descriptor, length).decode()


def tell(descriptor, text):
    message = text.encode()
    os.write(descriptor, pack('<I', len(message)) + message)


def read(descriptor, length):
    data = b''
    while len(data) < length:
        piece = os.read(descriptor, length - len(data))
        if not piece:
            os._exit(0)
        data += piece
    return data


def json(value):
    """JSON of dicts, lists, strings, integers and True; the json module would double the time that this process takes to start."""
    if type(value) is dict:
        return '{%s}' % ', '.join('%s: %s' % (json(key), json(item)) for key, item in value.items())
    if type(value) is list:
        return '[%s]' % ', '.join(map(json, value))
    if value is True:
        return 'true'
    return encode_basestring_ascii(value[:MAX_TEXT]) if type(value) is str else repr(value)
