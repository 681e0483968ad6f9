"""What tests change or watch around a call: output, environment, seeds, recursion limit; the judge's side.

What can be carried to the candidate's process is carried before the next request. What cannot (patched modules, files,
logs, warnings, threads) is recognised and refused by its name.
"""

import os
import sys

from checks import TestsFault

OUTPUT = ('stdout', 'stderr', 'capsys', 'capfd')
ENVIRONMENT = {'environ', 'environb', 'getenv', 'putenv', 'setenv', 'delenv', 'unsetenv'}
# Names that tests use only for what happens in the candidate's process alone.
ELSEWHERE = {
    'assertLogs': 'logs', 'assertNoLogs': 'logs', 'caplog': 'logs',
    'assertWarns': 'warnings', 'assertWarnsRegex': 'warnings', 'catch_warnings': 'warnings', 'recwarn': 'warnings',
    'warns': 'warnings', 'deprecated_call': 'warnings',
    'chdir': 'the working folder', 'tmp_path': 'files', 'tmpdir': 'files', 'tempfile': 'files', 'isfile': 'files',
    'isdir': 'files', 'read_text': 'files', 'write_text': 'files', 'listdir': 'files',
    'getsource': 'the source', 'getsourcelines': 'the source', 'getfullargspec': 'the signature',
    'isgeneratorfunction': 'the kind of a function', 'iscoroutinefunction': 'the kind of a function',
    'isfunction': 'the kind of a function',
}  # fmt: skip
WRITES = ('os.mkdir', 'os.rename', 'os.remove', 'os.rmdir', 'os.link', 'os.symlink', 'os.truncate')
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Surroundings:
    def __init__(self, peer, source, program, used):
        self.peer = peer
        self.source = source
        self.used = used
        self.wrote = None  # a file that the tests wrote
        self.seeded = self.reseeded = False
        self.state = None
        self.limit = None
        self.environment = dict(os.environ)
        for name in sorted(used & set(ELSEWHERE)):
            raise TestsFault('use %s: %s of the candidate cannot be seen from here' % (name, ELSEWHERE[name]))
        if 'exists' in used and used & {'os', 'pathlib'}:
            raise TestsFault('use exists: files of the candidate cannot be seen from here')
        for name in program.patches:
            self.patched(*name.rpartition('.')[::2])
        if 'seed' in used or 'setstate' in used:
            self.watch_seeds()
        if used & {'setrecursionlimit', 'getrecursionlimit'}:
            self.watch_recursion_limit()
        if 'unittest.mock' in used or 'mock' in used or 'patch' in used:
            self.watch_mocks()

    def start(self):
        """Once the candidate is loaded, and the tests are about to run."""
        if any(name in self.source for name in OUTPUT):
            self.peer.request('capture', None)
        if 'open' in self.used or 'pathlib' in self.used or 'os' in self.used:
            sys.addaudithook(self.audit)

    def carry(self):
        """Brings what has changed to the candidate, before a request."""
        if self.wrote is not None:
            self.peer.end(TestsFault('write %s: files of theirs cannot be seen by the candidate' % self.wrote))
        changes = {}
        if self.limit is not None:
            changes['recursion limit'], self.limit = self.limit, None
        if self.seeded:
            state = sys.modules['random'].getstate()
            if self.reseeded or state != self.state:
                changes['random'] = state, self.reseeded
                self.state, self.reseeded = state, False
        if self.used & ENVIRONMENT and dict(os.environ) != self.environment:
            now = dict(os.environ)
            changes['environment'] = {name: now.get(name) for name in {*now, *self.environment} if now.get(name) != self.environment.get(name)}
            self.environment = now
        if changes:
            self.peer.request('surroundings', changes)

    def take(self, changes):
        """The candidate has changed its environment."""
        for name, value in changes.items():
            if type(name) is str and value is None:
                os.environ.pop(name, None)
            elif type(name) is str and type(value) is str:
                os.environ[name] = value
        self.environment = dict(os.environ)

    def patched(self, owner, name):
        if (owner, name) not in (('sys', 'stdout'), ('sys', 'stderr')):
            what = 'patch %s.%s: the candidate, in a process of its own, would not see that'
            self.peer.end(TestsFault(what % (owner, name)))

    def patches(self, target, name):
        """Called when a library patches an attribute: its own objects and the candidate's may be patched."""
        if isinstance(target, type(sys)) or (isinstance(target, type) and target.__module__ != '__main__'):
            # pytest patches its own.
            if not self.peer.is_stand_in(target) and not getattr(target, '__module__', '').startswith('_pytest'):
                self.patched(getattr(target, '__name__', 'a module'), name)

    def audit(self, event, args):
        if event == 'open':
            path, _, flags = args
            if type(flags) is int and flags & WRITING and type(path) is str and path != os.devnull:
                self.wrote = path
        elif event in WRITES:
            self.wrote = str(args[0])

    def watch_seeds(self):
        import random

        if 'numpy' in self.used or 'np' in self.used:
            raise TestsFault("set numpy's seed, which is not carried to the candidate")
        for name in ('seed', 'setstate'):
            setattr(random, name, self.seeding(getattr(random, name)))

    def seeding(self, function):
        def seed(*args, **kwargs):
            self.seeded = self.reseeded = True
            return function(*args, **kwargs)

        return seed

    def watch_recursion_limit(self):
        wanted = [sys.getrecursionlimit()]

        def set_limit(limit):
            wanted[0] = self.limit = limit

        # This process needs its own limit to speak with the candidate.
        sys.setrecursionlimit, sys.getrecursionlimit = set_limit, lambda: wanted[0]

    def watch_mocks(self):
        from unittest import mock

        enter = mock._patch.__enter__

        def watched(patch):
            self.patches(patch.getter(), patch.attribute)
            return enter(patch)

        mock._patch.__enter__ = watched

    def watch_pytest(self):
        import pytest

        original = pytest.MonkeyPatch.setattr

        def setattr_(monkeypatch, target, name, *rest, **options):
            if isinstance(target, str):
                self.patched(*target.rpartition('.')[::2])
            else:
                self.patches(target, name)
            return original(monkeypatch, target, name, *rest, **options)

        pytest.MonkeyPatch.setattr = setattr_
