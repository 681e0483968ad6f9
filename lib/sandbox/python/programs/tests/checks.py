"""Counts assertions and turns the end of a test run into a verdict with its evidence."""

import sys

from errors import BUILTINS
from line import Fatal, Lost, Refused
from reach import Case
from shorten import shorten

MAX_TEXT = 600
MIRRORED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', 'in': 'containing', 'not in': 'not containing'}


class TimeUp(Fatal):
    """The wall-clock limit expired while the tests ran."""


class CallbackFailed(Fatal):
    """The candidate swallowed an error with which an assertion of the tests ended: in a callback, for example."""


class WrongKind(Fatal):
    """The entry point is a class where the task declares a function."""


class TestsFault(Fatal):
    """The tests themselves are invalid."""


class Checks:
    """What the rewritten asserts call; see asserts.py."""

    def __init__(self, peer, program):
        self.peer = peer
        self.program = program
        self.holding = 0  # assertions that passed
        self.failures = 0  # asserts that failed; the tests may have swallowed the error
        self.ran = set()  # tests that were started or skipped, by the lines of their definitions
        self.case_running = None  # the innermost
        self.reached, self.unreached = set(), set()  # tests of which a case ended with or without an assertion
        self.calls = 0
        self.counted = None  # the tests, their names and the entry point, if assertions can be counted after a failure
        self.unproven = False  # whether the candidate's own code decided a comparison

    def start(self, _number):
        self.calls = self.peer.calls
        return self

    def held(self):
        self.holding += 1
        if self.case_running:
            self.case_running.is_reached = True

    def case(self, line):
        self.ran.add(line)
        return Case(self, line)

    def case_ended(self, case):
        (self.reached if case.is_reached else self.unreached).add(case.line)

    def entered(self, line):
        self.ran.add(line)

    def failed(self, number, left, right):
        self.failures += 1
        clause = self.program.clauses[number]
        actual, expected, given = self.sides(clause, left, right)
        last = self.peer.last
        if last and last.returned and last.result is given:
            message = '%s returned %s, but the tests want %s.' % (last.text, actual, expected)
        else:
            message = 'The tests got %s, but want %s.' % (actual, expected)
            if last and last.returned and self.peer.calls > self.calls:
                message += ' The last call: %s returned %s.' % (last.text, shorten(last.result))
        evidence = {'kind': 'failed', 'message': message, 'expected': expected, 'actual': actual}
        with_place(evidence, self.place(frames_above()))
        error = AssertionError(message)
        error.hefix_evidence = evidence
        return error

    def sides(self, clause, left, right):
        """Returns the texts of the actual and the expected value, and the actual value itself."""
        if clause.kind in ('compare', 'near'):
            given, wanted = (right, left) if clause.swapped else (left, right)
            actual, expected = shorten(given), shorten(wanted)
            if clause.kind == 'near':
                expected = '%s within %s' % (expected, clause.wanted)
            elif clause.symbol not in ('==', 'is'):
                symbol = MIRRORED.get(clause.symbol, clause.symbol) if clause.swapped else clause.symbol
                expected = '%s %s' % (symbol, expected)
            return actual, expected, given
        actual = shorten(left)
        if clause.kind == 'other':
            return actual, clause.source, left
        wanted = clause.kind == 'true'
        return actual, str(wanted) if type(left) is bool else 'a %s value' % str(wanted).lower(), left

    def place(self, frames):
        """The most informative line of the tests: for an assert in a helper, the line that called the helper."""
        frames = [(frame, line) for frame, line in frames if frame.f_code.co_filename == '<tests>']
        while len(frames) > 1 and frames[0][1] in self.program.helper_lines and not self.holds_stand_in(frames[0][0]):
            del frames[0]
        if not frames:
            return None
        return self.place_of(frames[0][1])

    def place_of(self, line):
        first, source = self.program.statement_at(line)
        return {'line': first, 'source': shorten_text(source)}

    def holds_stand_in(self, frame):
        return any(callable(value) and self.peer.is_stand_in(value) for value in frame.f_locals.values())

    def verdict(self, outcome, entry_point, seconds):
        """outcome: None if the tests ran to completion, else the exception that ended them."""
        if outcome is None:
            return self.ended(entry_point)
        place = self.place(frames_of(outcome.__traceback__))
        if not hasattr(outcome, 'hefix_origin'):
            if isinstance(outcome, OSError) and not isinstance(outcome, TimeoutError):
                raise TestsFault('use files, which they do not share with the candidate: %s' % safe_text(outcome))
            if isinstance(outcome, TypeError) and 'weak reference' in safe_text(outcome):
                raise TestsFault('make weak references to objects of the candidate')
        if isinstance(outcome, CallbackFailed):
            return getattr(outcome.__cause__, 'hefix_evidence', None) or with_place(
                {'kind': 'failed', 'message': 'The candidate caught an error that ended an assertion of the tests.'}, place
            )
        evidence = getattr(outcome, 'hefix_evidence', None)
        if evidence:
            verdict = evidence
        elif isinstance(outcome, Fatal):
            verdict = with_place(self.broken_off(outcome, seconds), place)
        else:
            verdict = with_place(self.raised(outcome, entry_point), place)
        blameless = self.peer.calls == 0 and not self.peer.asked and getattr(outcome, 'hefix_origin', None) is None
        if blameless and self.is_of_tests(outcome, seconds):
            where = ' (line %d)' % place['line'] if place else ''
            raise TestsFault('fail before they call %s%s: %s' % (entry_point, where, verdict['message'].rstrip('.')))
        return verdict

    def is_of_tests(self, outcome, seconds):
        """Whether the tests alone can have caused this before they called the candidate."""
        if self.peer.loaded is None or isinstance(outcome, (NameError, Lost, Refused, WrongKind)):
            return False
        # If the candidate took longer to load than the limit left for the tests, it left them too little time.
        return not isinstance(outcome, TimeUp) or self.peer.loading_seconds < seconds / 2

    def ended(self, entry_point):
        if self.peer.calls == 0:
            raise TestsFault('never call %s' % entry_point)
        missing = [name for line, name in sorted({**self.program.tests, **self.program.unused}.items()) if line not in self.ran]
        if missing:
            raise TestsFault('would not have been run wholly: %s' % ', '.join(missing))
        if self.holding == 0 and (self.program.raises == 0 or self.failures):
            return {'kind': 'failed', 'message': 'The tests ended without one of their assertions holding.'}
        for line in sorted(self.unreached & self.program.must_reach - self.reached):
            message = 'The test %s ended without reaching one of its assertions.' % self.program.tests[line]
            return with_place({'kind': 'failed', 'message': message}, self.place_of(line))
        message = 'All tests passed.'
        if self.peer.compared:
            self.unproven = True
            message = "All tests passed; the candidate's own class %s decided about its objects." % self.peer.compared
        return {'kind': 'passed', 'message': message}

    def broken_off(self, fatal, seconds):
        doing = self.peer.last.text if self.peer.last and not self.peer.last.returned else None
        if isinstance(fatal, TimeUp):
            what = '%s did not return' % doing if doing else 'The tests did not end'
            if not self.peer.loaded:
                what = 'The program did not load'
            return {'kind': 'timeout', 'message': '%s within %g seconds.' % (what, seconds)}
        if isinstance(fatal, WrongKind):
            return {'kind': 'signature', 'message': '%s.' % fatal}
        if isinstance(fatal, Lost):
            return {'kind': 'exited', 'message': '%s ended the process.' % (doing or 'The candidate')}
        return {'kind': 'not-serializable', 'message': '%s gave %s, not plain data.' % (doing or 'The candidate', fatal)}

    def raised(self, error, entry_point):
        name, line = getattr(error, 'hefix_origin', (type(error).__name__, None))
        text = shorten_text(safe_text(error))
        exception = {'type': name, 'message': text}
        if line is not None:
            exception['line'] = line
        last = self.peer.last
        doing = last.text if last and not last.returned else None
        kind = 'memory' if isinstance(error, MemoryError) else 'raised'
        if hasattr(error, 'hefix_origin') and is_about_weak_reference(error, text):
            return {'kind': 'not-serializable', 'message': '%s makes a weak reference to an object of the tests.' % (doing or 'The candidate')}
        if not hasattr(error, 'hefix_origin'):
            kind = 'failed' if isinstance(error, AssertionError) else kind
            message = 'The tests raised %s' % name
        else:
            message = '%s raised %s' % (doing or 'Loading the candidate', name)
        if isinstance(error, SystemExit) and not hasattr(error, 'hefix_origin'):
            kind, message, text = 'failed', 'The tests ended with status %s' % shorten(error.code), ''
        elif isinstance(error, SystemExit):
            kind, message = 'exited', '%s ended the process: %s' % (doing or 'Loading the candidate', name)
        if isinstance(error, TypeError) and line is None and doing and doing.startswith(entry_point + '('):
            kind = 'signature'
        where = '' if line is None else ' (line %d)' % line
        message = '%s: %s%s.' % (message, text.rstrip('.'), where) if text else '%s%s.' % (message, where)
        verdict = {'kind': kind, 'message': message}
        if kind != 'failed':
            verdict['exception'] = exception
        return verdict


def is_about_weak_reference(error, text):
    """What stands in for an object of the tests has none; the objects of builtin classes have none anywhere."""
    before, _, name = text.partition("cannot create weak reference to '")
    return isinstance(error, TypeError) and not before and name.partition("'")[0] not in ('', *BUILTINS)


def with_place(verdict, place):
    if place:
        verdict['test'] = place
    return verdict


def frames_above():
    """Frames and their lines, innermost first."""
    frames, frame = [], sys._getframe(2)
    while frame is not None:
        frames.append((frame, frame.f_lineno))
        frame = frame.f_back
    return frames


def frames_of(trace):
    frames = []
    while trace is not None:
        frames.insert(0, (trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def safe_text(error):
    try:
        return str(error)
    except Exception:
        return ''


def shorten_text(text):
    text = ' '.join(text.split())
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + '…'
