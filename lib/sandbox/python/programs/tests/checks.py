"""Counts assertions and turns the end of a test run into a verdict with its evidence."""

import sys

from line import Fatal, Lost, Refused
from reach import Case
from shorten import shorten

MAX_TEXT = 600
MIRRORED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', 'in': 'containing', 'not in': 'not containing'}


class TimeUp(Fatal):
    """The wall-clock limit expired while the tests ran."""


class TestsFault(Fatal):
    """The tests themselves are invalid."""


class Checks:
    """What the rewritten asserts call; see asserts.py."""

    def __init__(self, conversation, program):
        self.conversation = conversation  # see calls.py
        self.program = program
        self.holding = 0  # assertions that passed
        self.failures = 0  # asserts that failed; the tests may have swallowed the error
        self.ran = set()  # tests that were started or skipped, by the lines of their definitions
        self.case_running = None  # the innermost
        self.reached, self.unreached = set(), set()  # tests of which a case ended with or without an assertion
        self.calls = 0
        self.counted = None  # the tests, their names and the entry point, if assertions can be counted after a failure

    def start(self, _number):
        self.calls = self.conversation.count
        return self

    def held(self):
        self.holding += 1
        if self.case_running:
            self.case_running.is_reached = True

    def handed(self, value):
        """An argument that the tests use again, where a change would reach what they compare with. See independent.py."""
        if can_change(value):
            self.conversation.needs_one_process('use an argument again that the candidate can change')
        return value

    def shared(self, value):
        """An argument in which the tests see what the candidate changes."""
        return self.conversation.share(value)

    def all_handed(self, values):
        return [self.handed(value) for value in values] if isinstance(values, (list, tuple)) else self.handed(values)

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
        last = self.conversation.last
        if last and last.returned and last.result is given:
            message = '%s returned %s, but the tests want %s.' % (last.text, actual, expected)
        else:
            message = 'The tests got %s, but want %s.' % (actual, expected)
            if last and last.returned and self.conversation.count > self.calls:
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
        while len(frames) > 1 and frames[0][1] in self.program.helper_lines:
            del frames[0]
        if not frames:
            return None
        return self.place_of(frames[0][1])

    def place_of(self, line):
        first, source = self.program.statement_at(line)
        return {'line': first, 'source': shorten_text(source)}

    def verdict(self, outcome, entry_point, seconds):
        """outcome: None if the tests ran to completion, else the exception that ended them."""
        if outcome is None:
            return self.ended(entry_point)
        place = self.place(frames_of(outcome.__traceback__))
        evidence = getattr(outcome, 'hefix_evidence', None)
        if evidence:
            verdict = evidence
        elif isinstance(outcome, Fatal):
            verdict = with_place(self.broken_off(outcome, seconds), place)
        else:
            verdict = with_place(self.raised(outcome, entry_point), place)
        blameless = self.conversation.count == 0 and getattr(outcome, 'hefix_origin', None) is None
        if blameless and self.is_of_tests(outcome, seconds):
            where = ' (line %d)' % place['line'] if place else ''
            raise TestsFault('fail before they call %s%s: %s' % (entry_point, where, verdict['message'].rstrip('.')))
        return verdict

    def is_of_tests(self, outcome, seconds):
        """Whether the tests alone can have caused this before they called the candidate."""
        if self.conversation.loaded is None or isinstance(outcome, (NameError, Lost, Refused)):
            return False
        # If the candidate took longer to load than the limit left for the tests, it left them too little time.
        return not isinstance(outcome, TimeUp) or self.conversation.loading_seconds < seconds / 2

    def ended(self, entry_point):
        if self.conversation.count == 0:
            raise TestsFault('never call %s' % entry_point)
        missing = [name for line, name in sorted({**self.program.tests, **self.program.unused}.items()) if line not in self.ran]
        if missing:
            raise TestsFault('would not have been run wholly: %s' % ', '.join(missing))
        if self.holding == 0 and (self.program.raises == 0 or self.failures):
            return {'kind': 'failed', 'message': 'The tests ended without one of their assertions holding.'}
        for line in sorted(self.unreached & self.program.must_reach - self.reached):
            message = 'The test %s ended without reaching one of its assertions.' % self.program.tests[line]
            return with_place({'kind': 'failed', 'message': message}, self.place_of(line))
        return {'kind': 'passed', 'message': 'All tests passed.'}

    def broken_off(self, fatal, seconds):
        last = self.conversation.last
        doing = last.text if last and not last.returned else None
        if isinstance(fatal, TimeUp):
            what = '%s did not return' % doing if doing else 'The tests did not end'
            if not self.conversation.loaded:
                what = 'The program did not load'
            return {'kind': 'timeout', 'message': '%s within %g seconds.' % (what, seconds)}
        if isinstance(fatal, Lost):
            return {'kind': 'exited', 'message': '%s ended the process.' % (doing or 'The candidate')}
        return {'kind': 'not-serializable', 'message': '%s returned %s, which is not plain data.' % (doing or 'The candidate', fatal)}

    def raised(self, error, entry_point):
        name, line = getattr(error, 'hefix_origin', (type(error).__name__, None))
        text = shorten_text(safe_text(error))
        exception = {'type': name, 'message': text}
        if line is not None:
            exception['line'] = line
        last = self.conversation.last
        doing = last.text if last and not last.returned else None
        kind = 'memory' if isinstance(error, MemoryError) else 'raised'
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


def can_change(value):
    """Whether a value can change, or a part of it."""
    if type(value) in (tuple, frozenset):
        return any(map(can_change, value))
    try:
        hash(value)
    except TypeError:
        return True
    return hasattr(value, '__dict__')


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
