"""Errors with which assertions of the tests end, while the candidate could swallow them.

An error leaves the judge when a callback of the tests ends with it, or when it is given to a context manager or a
generator of the candidate. It has to come back: tests may catch it, the candidate may not.
"""

import sys

from checks import CallbackFailed
from line import Fatal


class Escaped:
    def __init__(self):
        self.errors = []
        self.program = None  # the tests; see asserts.py

    def ended_assertion(self, error):
        """Whether an assertion failed, or began and did not complete because of this error."""
        failed = getattr(sys.modules.get('_pytest.outcomes'), 'Failed', AssertionError)
        if isinstance(error, (AssertionError, failed)):
            return True
        trace = error.__traceback__ if isinstance(error, BaseException) and self.program else None
        while trace is not None:
            code = trace.tb_frame.f_code
            # A lambda on the line of an assertion is no part of it.
            is_statement = code.co_filename == '<tests>' and (code.co_name[0] != '<' or code.co_name == '<module>')
            if is_statement and trace.tb_lineno in self.program.assertion_lines:
                return True
            trace = trace.tb_next
        return False

    def note(self, error):
        if not isinstance(error, Fatal) and self.ended_assertion(error):
            self.errors.append(error)

    def holds(self, error):
        return any(error is one for one in self.errors)

    def returned(self, error):
        self.errors = [one for one in self.errors if one is not error]

    def since(self, before):
        """An error that has not come back and is not one of `before`."""
        return next((one for one in self.errors if not any(one is old for old in before)), None)


class Handed:
    """A `with` block in which the candidate is given an error and must not swallow it."""

    def __init__(self, peer, error):
        self.peer, self.error = peer, error
        self.matters = peer.escaped.ended_assertion(error)

    def __enter__(self):
        if self.matters:
            self.peer.escaped.errors.append(self.error)
        return self

    def __exit__(self, _kind, raised, _trace):
        self.peer.escaped.returned(self.error)
        if raised is not None and raised is not self.error and not isinstance(raised, Fatal):
            self.swallowed(True)

    def swallowed(self, is_swallowed):
        if self.matters and is_swallowed:
            swallow(self.peer, self.error)


def swallow(peer, error):
    peer.fatal = peer.fatal or CallbackFailed()
    raise peer.fatal from error
