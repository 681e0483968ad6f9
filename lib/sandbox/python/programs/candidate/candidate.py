"""The process that runs the candidate. Only where both share a process, it runs the tests too (isolated.py).

It can send the judge only messages of plain data, which the judge validates, no matter what the candidate does to
this interpreter.
"""

import os
import resource
import sys

import isolated
from confine import confine
from declared import Declared
from errors import BUILTINS, described
from line import Fatal, Line, give_empty_input, limit_stacks, without_mark
from plain import SIMPLE, Decoder, Encoder, NotPlain, is_same, remember, state_of
from prelude import names_used, prelude

# Correct solutions recurse 5,000 levels deep, while Python's default limit is 1,000; a call through C, such as a cached
# function, counts twice. That many calls need more C stack than the usual 8 MiB.
RECURSION_LIMIT = 12_000
STACK_BYTES = 64 * 1024 * 1024
FUTURE_FLAGS = 0x1FF0000
ONLY_AST = 0x400


# Modules that candidates often import.
OFTEN_USED = ('typing', 'math', 'collections', 're', 'itertools', 'functools', 'string', 'heapq', 'hashlib')


def main(count=None):
    """With a count, forks so many processes, one per execution, and never runs a candidate itself."""
    enlarge_stack()
    if count:
        from forker import fork_jails

        fork_jails(int(count), ((0,), (1,), (2,)), OFTEN_USED, serve)
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
    connection = Connection(channel)
    # When the channel closes, the execution is over, and no more of the candidate's code runs.
    try:
        connection.tell('hello')
        while True:
            connection.serve()
    except Fatal:
        os._exit(connection.status)


class Connection(Line):
    """The judge's requests: ["load", source, entry point], ["call", name, arguments, keywords], and some about the run."""

    def __init__(self, channel):
        super().__init__(channel)
        self.space = None
        self.declared = Declared()
        self.decoder = Decoder(self.declared, appends=True)
        self.iterators = False
        self.given = []
        self.status = 0

    def tell(self, outcome, value=None):
        self.send('["%s",%s,[],[]]' % (outcome, Encoder(self.declared, shares=False).text(value)))

    def serve(self):
        text = self.receive()
        self.decoder.known = known = []
        kind, *payload = self.decoder.value(text)
        if kind == 'call':
            return self.call(known, *payload)
        try:
            if kind == 'load':
                answer = self.load(*payload)
            elif kind == 'isolated':
                isolated.hide()
                answer = self.load(*payload)
            elif kind == 'tests':
                answer = isolated.run(self.space, *payload)
            elif kind == 'declared':
                answer = self.share(*payload)
            else:
                answer = be_quiet()
        except BaseException as error:
            return self.failed(error)
        flush()
        self.tell('return', answer)

    def call(self, known, name, args, kwargs):
        before = [state_of(value) for value in known]
        try:
            result = self.space[name](*args, **(kwargs or {}))
            write = SIMPLE.get(type(result))
            if write and not known and not self.given:
                text = write(result)
                flush()
                return self.send('["return",%s,[],[]]' % text)
            encoder = Encoder(self.declared, known, shares=False, iterators=self.iterators)
            text = encoder.text(result)
            flush()
            self.send('["return",%s,%s,%s]' % (text, self.changes(encoder, known, before), self.later(encoder)))
            if type(result) in (list, dict, set):
                remember(self.given, result, state_of(result))
        except NotPlain as fault:
            flush()
            self.tell('refuse', str(fault))
        except BaseException as error:
            self.failed(error, known, before)

    def changes(self, encoder, known, before):
        """The numbers and new contents of the arguments' containers that the call has changed."""
        changed = [number for number, value in enumerate(known) if not is_same(value, before[number])]
        return '[%s]' % ','.join(['[%d,%s]' % (number, encoder.contents(known[number])) for number in changed])

    def later(self, encoder):
        """What has changed in the last results since they were returned."""
        if not self.given:
            return '[]'
        changed = [(number, value) for number, (value, state) in enumerate(self.given) if not is_same(value, state)]
        for number, value in changed:
            self.given[number][1] = state_of(value)
        return '[%s]' % ','.join(['[%d,%s]' % (number, encoder.contents(value)) for number, value in changed])

    def failed(self, error, known=(), before=()):
        if isinstance(error, Fatal):
            raise error
        if isinstance(error, SystemExit):
            # The judge decides whether the tests expected it; otherwise, this becomes the exit status.
            self.status = 0 if error.code is None else error.code & 255 if type(error.code) is int else 1
        flush()
        try:
            encoder = Encoder(self.declared, known, shares=False)
            text = encoder.text(described(error, self.declared))
            self.send('["raise",%s,%s,%s]' % (text, self.changes(encoder, known, before), self.later(encoder)))
        except NotPlain as fault:
            self.tell('refuse', str(fault))

    def load(self, source, entry_point):
        module = sys.modules['candidate'] = type(sys)('candidate')
        # The sandbox's own modules have other builtins, which no candidate changes.
        module.__builtins__ = BUILTINS
        self.space = module.__dict__
        return load(self.space, source, entry_point)

    def share(self, names, iterators):
        """The names of the declaration's classes that the program defines as such too."""
        self.iterators = iterators
        own = Declared(self.space, 'candidate')
        for name in names:
            if name in own.classes:
                self.declared.share(name, own.classes[name])
        return None


def enlarge_stack():
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != resource.RLIM_INFINITY and soft < STACK_BYTES:
        try:
            resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, hard))
        except (ValueError, OSError):
            # The hard limit is lower, or the system does not allow setting the stack size.
            pass


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
        return ['syntax', str(getattr(fault, 'msg', fault)), getattr(fault, 'lineno', None) or 1]
    for name in names_used(code):
        if name not in BUILTINS:
            try:
                space[name] = prelude(name)
            except KeyError:
                pass
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
        return ['ready']
    return ['missing'] if statements(source).body else ['empty']


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
