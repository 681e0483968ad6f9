"""What tests change or watch around a call: output, environment, seeds, recursion limit. The judge's side.

Changes that can be applied in the candidate's process are sent before the next request. Anything else (patched
modules, files, logs, warnings, threads) is detected, and the tests are refused by its name.
"""

import os
import sys

from checks import TestsFault
from line import Refused

OUTPUT = ('stdout', 'stderr', 'capsys', 'capfd')
ENVIRONMENT = {'environ', 'environb', 'getenv', 'putenv', 'setenv', 'delenv', 'unsetenv'}
# What tests use only to observe the candidate's process. A name that ends with a dot covers the whole module.
ELSEWHERE = {
    'logs': ('self.assertLogs', 'self.assertNoLogs', 'fixture.caplog'),
    'the working folder': ('os.chdir', 'os.getcwd', 'contextlib.chdir'),
    'files': (
        'tempfile.', 'glob.', 'shutil.', 'fixture.tmp_path', 'fixture.tmpdir', 'fixture.tmp_path_factory', 'os.stat',
        'os.path.exists', 'os.path.isfile', 'os.path.isdir', 'os.path.getsize', 'os.listdir', 'os.scandir', 'os.walk',
    ),
    'the source': ('inspect.getsource', 'inspect.getsourcelines', 'inspect.getsourcefile', 'inspect.getfile'),
    'the kind of a function': (
        'inspect.getfullargspec', 'inspect.isgeneratorfunction', 'inspect.iscoroutinefunction', 'inspect.isfunction',
        'inspect.isasyncgenfunction', 'inspect.ismethod', 'asyncio.iscoroutinefunction',
    ),
    'whether a class is abstract': ('inspect.isabstract',),
    'the members': ('inspect.getmembers', 'inspect.getmro', 'inspect.classify_class_attrs'),
}  # fmt: skip
# Methods of pathlib's paths, counted if the tests use pathlib, and of fixtures that change folders.
OF_PATHS = ('.exists', '.is_file', '.is_dir', '.read_text', '.read_bytes', '.write_text', '.write_bytes', '.iterdir', '.glob')
WARNINGS = ('warnings.', 'pytest.warns', 'pytest.deprecated_call', 'fixture.recwarn', 'self.assertWarns', 'self.assertWarnsRegex')


def unseen(uses):
    """The first of these that a program uses, and what it observes; None if it uses none."""
    for what, names in ELSEWHERE.items():
        for name in sorted(uses):
            if uses_one(name, names):
                return name.rpartition('.')[2], what
    paths = sorted(uses.intersection(OF_PATHS)) if any(name.startswith('pathlib') for name in uses) else []
    if paths:
        return paths[0][1:], 'files'
    if '.chdir' in uses and 'fixture.monkeypatch' in uses:
        return 'chdir', 'the working folder'
    return None


def uses_one(name, names):
    return any(name.startswith(one) if one.endswith('.') else name == one for one in names)


WRITES = ('os.mkdir', 'os.rename', 'os.remove', 'os.rmdir', 'os.link', 'os.symlink', 'os.truncate')
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Surroundings:
    def __init__(self, peer, source, program, used):
        self.peer = peer
        self.source = source
        self.used = used
        self.assigned = None  # globals that both sides use; see assigned.py
        self.wrote = None  # files that the tests wrote
        self.warned = {}
        self.seeded = self.reseeded = False
        self.state = None
        self.drawn = None  # the random state here when the candidate had drawn numbers
        self.limit = None
        self.environment = dict(os.environ)
        self.program = program
        found = unseen(program.uses)
        if found:
            raise TestsFault('use %s: %s of the candidate cannot be seen from here' % found)
        for name in program.patches:
            self.patched(*name.rpartition('.')[::2])
        if 'seed' in used or 'setstate' in used:
            self.watch_seeds()
        if used & {'setrecursionlimit', 'getrecursionlimit'}:
            self.watch_recursion_limit()
        if 'unittest.mock' in used or 'mock' in used or 'patch' in used:
            self.watch_mocks()

    def start(self):
        """Called when the candidate has loaded and the tests are about to run."""
        if any(name in self.source for name in OUTPUT):
            self.peer.request('capture', None)
        if any(uses_one(name, WARNINGS) for name in self.program.uses):
            self.peer.request('watch warnings', None)
        watched = {}
        if self.used & ENVIRONMENT:
            watched['environment'] = {}
        if self.program.asks_identity:
            watched['identity'] = self.peer.heap.identity = True
        if watched:
            self.peer.request('surroundings', watched)
        if 'open' in self.used or 'pathlib' in self.used or 'os' in self.used:
            sys.addaudithook(self.audit)

    def carry(self):
        """Sends the changes to the candidate before a request."""
        if self.wrote is not None:
            self.peer.end(TestsFault('write %s: files of theirs cannot be seen by the candidate' % self.wrote))
        changes = {}
        if self.limit is not None:
            changes['recursion limit'], self.limit = self.limit, None
        if self.seeded:
            self.finish()
            state = sys.modules['random'].getstate()
            if self.reseeded or state != self.state:
                changes['random'] = self.state = state
                self.reseeded = False
        if self.used & ENVIRONMENT and dict(os.environ) != self.environment:
            now = dict(os.environ)
            changes['environment'] = {name: now.get(name) for name in {*now, *self.environment} if now.get(name) != self.environment.get(name)}
            self.environment = now
        names = self.assigned.changes() if self.assigned else None
        if names:
            changes['names'] = names
        if changes:
            self.peer.request('surroundings', changes)

    def finish(self):
        """Refuses tests that drew random numbers after the candidate: in one process, they would have drawn others."""
        if self.drawn is not None and not self.reseeded and sys.modules['random'].getstate() != self.drawn:
            self.peer.end(Refused('random numbers that tests and candidate draw in turn'))

    def candidate_drew(self):
        if self.drawn is None and self.seeded:
            self.drawn = sys.modules['random'].getstate()

    def warn(self, warning, line):
        """Passes a warning of the candidate to the tests' own filters, as within one process."""
        import warnings

        warnings.warn_explicit(warning, type(warning), '<candidate>', line, registry=self.warned)

    def take(self, changes):
        """Applies changes that the candidate made to its environment, of variables that the tests name."""
        for name, value in changes.items():
            if type(name) is not str or name not in self.program.texts or name.startswith('PYTEST'):
                continue
            if value is None:
                os.environ.pop(name, None)
            elif type(value) is str:
                os.environ[name] = value
        self.environment = dict(os.environ)

    def patched(self, owner, name):
        if (owner, name) not in (('sys', 'stdout'), ('sys', 'stderr')):
            what = 'patch %s.%s: the candidate, in a process of its own, would not see that'
            self.peer.end(TestsFault(what % (owner, name)))

    def patches(self, target, name):
        """Called when a library patches an attribute; its own objects and the candidate's may be patched."""
        if isinstance(target, type(sys)) or (isinstance(target, type) and target.__module__ != '__main__'):
            # pytest patches its own modules.
            if not self.peer.is_stand_in(target) and not getattr(target, '__module__', '').startswith('_pytest'):
                self.patched(getattr(target, '__name__', 'a module'), name)

    def audit(self, event, args):
        if event == 'open':
            path, _, flags = args
            if type(flags) is int and flags & WRITING and type(path) is str and path != os.devnull:
                self.wrote = path
            elif type(path) is str and is_of_tests(sys._getframe(1)) and not os.path.exists(path):
                self.peer.end(TestsFault('read %s: files of the candidate cannot be seen from here' % path))
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
            self.finish()
            self.seeded = self.reseeded = True
            self.drawn = None
            return function(*args, **kwargs)

        return seed

    def watch_recursion_limit(self):
        wanted = [sys.getrecursionlimit()]

        def set_limit(limit):
            wanted[0] = self.limit = limit

        # This process needs its own limit to communicate with the candidate.
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


def is_of_tests(frame):
    """Whether the tests themselves open a file, with `open` or through pathlib."""
    while frame and 'pathlib' in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename == '<tests>'
