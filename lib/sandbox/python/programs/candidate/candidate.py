"""The process that runs the candidate and nothing else; it never sees what the tests expect.

It can send the judge only messages of plain data, which the judge validates, no matter what the candidate does to
this interpreter.
"""

import os
import resource
import sys

from assigned import data_names
from bounds import Unsendable
from confine import confine
from declared import classes_in
from errors import BUILTINS
from line import Fatal, give_empty_input, limit_stacks, without_mark
from peer import Peer
from prelude import names_used, prelude

# Correct solutions recurse 5,000 levels deep, while Python's default limit is 1,000; a call through C, such as a cached
# function, counts twice. That many calls need more C stack than the usual 8 MiB.
RECURSION_LIMIT = 12_000
STACK_BYTES = 64 * 1024 * 1024
FUTURE_FLAGS = 0x1FF0000
ONLY_AST = 0x400


def main():
    enlarge_stack()
    confine()
    serve()


def serve():
    """Runs inside a closed jail. Descriptor 0 is the two-way channel to the judge; output goes to 1 and 2."""
    channel = os.dup(0)
    os.set_blocking(channel, True)
    give_empty_input()
    limit_stacks()
    sys.stdout.reconfigure(errors='backslashreplace')
    sys.setrecursionlimit(RECURSION_LIMIT)
    peer = CandidatePeer(channel)
    # When the channel closes, the execution is over, and no more of the candidate's code runs.
    try:
        peer.request('hello', None)
        peer.turn.acquire()
        while True:
            peer.serve(peer.read_message())
    except Fatal:
        os._exit(peer.status)


def enlarge_stack():
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < STACK_BYTES:
        try:
            resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, hard))
        except (ValueError, OSError):
            # The hard limit is lower, or the system does not allow setting the stack size.
            pass


class CandidatePeer(Peer):
    own_modules = ('candidate',)
    module_of_theirs = 'tests'

    def __init__(self, channel):
        super().__init__(channel)
        self.status = 0
        self.output = None  # output that the tests have not fetched yet; None unless they capture it
        self.random = None  # the random state that the tests set last
        self.environment = None
        self.module = sys.modules['candidate'] = type(sys)('candidate')

    def request(self, kind, payload):
        self.tell()
        try:
            return super().request(kind, payload)
        except Unsendable as fault:
            self.give_up(str(fault))

    def give_up(self, what):
        """Leaves the judge's request unanswered, because the answer cannot be represented faithfully."""
        self.refuse(what)
        os._exit(0)

    def perform(self, kind, payload):
        try:
            return super().perform(kind, payload)
        except SystemExit as end:
            # The judge decides whether the tests expected it; otherwise, this becomes the exit status.
            self.status = 0 if end.code is None else end.code & 255 if type(end.code) is int else 1
            raise
        finally:
            flush()
            self.tell()

    def isolated(self, source, tests, entry_point, seconds):
        from isolated import run
        from run_tests import entry_points, prepared

        space = self.module.__dict__
        loaded = load(space, source, entry_points(entry_point)[0])
        if loaded[0] != 'ready':
            return 'loaded', loaded
        return run(space, lambda text: prepared(text, entry_point), tests, entry_point, seconds)

    def tell(self):
        """Reports what the tests watch: output, environment, and whether random numbers were drawn."""
        if self.random is not None and sys.modules['random'].getstate() != self.random:
            self.random = None
            super().request('drew', None)
        while self.output:
            stream, text = self.output.pop(0)
            super().request('output', (stream, text))
        if self.environment is not None and dict(os.environ) != self.environment:
            now, before = dict(os.environ), self.environment
            self.environment = now
            super().request('environment', {key: now.get(key) for key in {*now, *before} if now.get(key) != before.get(key)})

    def capture(self):
        """Also sends everything written to the standard streams to the tests from now on, in order."""
        self.output = []
        for name in ('stdout', 'stderr'):
            setattr(sys, name, watched(getattr(sys, name), name, self))

    def watch_warnings(self):
        """The tests' filters decide which warnings are shown, recorded or raised."""
        import warnings

        def show(warning, _category, _filename, line, *_rest):
            self.request('warning', (warning, line))

        warnings.simplefilter('always')
        warnings.showwarning = show

    def surround(self, changes):
        if 'recursion limit' in changes:
            sys.setrecursionlimit(changes['recursion limit'])
        for key, value in changes.get('environment', {}).items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
        self.module.__dict__.update(changes.get('names', {}))
        if 'identity' in changes:
            self.heap.identity = True
        if 'environment' in changes:
            self.environment = dict(os.environ)
        if 'random' in changes:
            import random

            random.setstate(changes['random'])
            self.random = changes['random']

    def share_declared(self, kinds):
        """The names of the declaration's classes that the program defines as such too."""
        own = classes_in(self.module.__dict__, 'candidate')
        found = [name for name, kind in kinds.items() if own.get(name) == kind]
        for name in found:
            self.declared.share(name, self.module.__dict__[name])
        return found

    def answer(self, kind, payload):
        if kind == 'load':
            return load(self.module.__dict__, *payload)
        if kind == 'isolated':
            return self.isolated(*payload)
        if kind == 'capture':
            return self.capture()
        if kind == 'surroundings':
            return self.surround(payload)
        if kind == 'declared':
            return self.share_declared(payload)
        if kind == 'quiet':
            return be_quiet()
        if kind == 'watch warnings':
            return self.watch_warnings()
        if kind == 'name':
            # A name in the candidate's module that the tests use.
            found = payload in self.module.__dict__
            value = self.module.__dict__[payload] if found else None
            # A builtin class would cross by name and become the judge's own; it must be called in this process.
            theirs = isinstance(value, type) and self.is_own(value)
            return found, value if theirs or not isinstance(value, type) else lambda *args, **kwargs: value(*args, **kwargs)
        return super().answer(kind, payload)


def watched(stream, name, peer):
    """A stream that also keeps its text for the tests."""
    import io

    class Watched(io.TextIOWrapper):
        def write(self, text):
            if len(peer.output) >= MAX_WRITES or len(text) > MAX_WRITTEN:
                peer.give_up('more output than tests are given')
            if text:
                peer.output.append((name, str(text)))
            return stream.write(text)

        def flush(self):
            stream.flush()

    return Watched(stream.buffer, encoding=stream.encoding, errors='backslashreplace', line_buffering=True)


MAX_WRITES = 10_000
MAX_WRITTEN = 1_000_000


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


class Silence:
    """A stream for what nobody reads."""

    def write(self, text):
        return len(text)

    def flush(self):
        pass


def be_quiet():
    """What the program prints from now on is not output of the run that was judged."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    sys.stdout = sys.stderr = Silence()


def load(space, source, entry_point):
    """Runs the candidate's module. Errors after the entry point is defined do not count against it."""
    source = without_mark(source)
    try:
        code = compile(source, '<candidate>', 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as fault:
        return 'syntax', str(getattr(fault, 'msg', fault)), getattr(fault, 'lineno', None) or 1
    for name in names_used(code):
        if name not in BUILTINS:
            try:
                space[name] = prelude(name)
            except KeyError:
                pass
    read = set().union(*(names_used(one) for one in code.co_consts if type(one) is type(code)))
    before = space.get(entry_point)
    while code is not None:
        try:
            exec(code, space)
            code = None
        except Exception as error:
            if space.get(entry_point) is before:
                raise
            print('%s: %s' % (type(error).__name__, error), file=sys.stderr)
            code = rest(source, code, candidate_top_line(error.__traceback__))
    if space.get(entry_point) is not before and callable(space[entry_point]):
        return 'ready', sorted(read & data_names(space))
    return ('missing',) if statements(source).body else ('empty',)


def rest(source, code, line):
    """The module's statements below a line."""
    tree = statements(source)
    tree.body = [statement for statement in tree.body if line is not None and statement.lineno > line]
    return compile(tree, '<candidate>', 'exec', code.co_flags & FUTURE_FLAGS, dont_inherit=True)


def statements(source):
    return compile(source, '<candidate>', 'exec', ONLY_AST, dont_inherit=True)


def candidate_top_line(trace):
    """The line in the module's own code, as opposed to a function that it called."""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == '<candidate>':
            return trace.tb_lineno
        trace = trace.tb_next
    return None
