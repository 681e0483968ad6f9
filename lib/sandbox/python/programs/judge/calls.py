"""The judge's side of the conversation: calls of the entry points with plain data, answered with plain data."""

from declared import Declared
from line import Fatal, Line, Refused
from plain import SIMPLE, Decoder, Encoder, Malformed, NotPlain, change, remember, unfolded
from shorten import shorten

CHANNEL = 3
# So many containers that an answer names again cannot unfold to too much.
FEW = 50
# Length of text from which tests that hand over a container again are judged in one process: each time takes as long.
LARGE = 8_000
MAX_KEPT = 64
# How an answer ends that reports no changes.
UNCHANGED = ',[],[]]'


class Isolate(Fatal):
    """The tests need more than plain data: they are judged in one process, whatever the candidate is."""


class Calls(Line):
    def __init__(self):
        super().__init__(CHANNEL)
        self.declared = Declared()
        self.decoder = Decoder(self.declared)
        self.loaded = None  # when the candidate had loaded, in seconds of a monotonic clock
        self.loading_seconds = 0
        self.fatal = None  # what ended the conversation; the tests may swallow it, the verdict does not
        self.count = 0  # of calls of the entry points
        self.last = None  # the last call
        self.large = {}  # the last large arguments, by id
        self.shared = {}  # the last arguments whose changes the tests see, by id
        self.given = []  # the last containers that calls have returned: the candidate may change them later

    def end(self, fatal):
        self.fatal = self.fatal or fatal
        raise self.fatal

    def needs_one_process(self, what):
        self.end(Isolate(what))

    def function(self, name):
        """The entry point as the tests see it."""

        def entry_point(*args, **kwargs):
            return self.call(name, args, kwargs)

        entry_point.__name__ = entry_point.__qualname__ = name
        return entry_point

    def share(self, value):
        keep(self.shared, value)
        return value

    def call(self, name, args, kwargs):
        if self.fatal:
            raise self.fatal
        is_simple = not kwargs and all([type(value) in SIMPLE for value in args])
        encoder = None if is_simple else Encoder(self.declared)
        try:
            texts = [SIMPLE[type(value)](value) if is_simple else self.argument(encoder, value) for value in args]
            words = [part for key, value in kwargs.items() for part in (SIMPLE[str](key), self.argument(encoder, value))]
            named = '{"d":[%s]}' % ','.join(words) if words else 'null'
            sent = '["call","%s",[%s],%s]' % (name, ','.join(texts), named)
        except NotPlain as fault:
            self.end(Isolate('pass %s to %s' % (fault, name)))
        self.count += 1
        self.last = last = Call(self.declared, name, texts, kwargs)
        if 'NaN' in sent or '{"q"' in sent:
            self.decoder.nan = nan_in(args) or self.decoder.nan
        containers = encoder and (lambda: self.containers(encoder, '[%s,%s]' % (','.join(['null', *texts]), named)))
        last.result = self.answer(sent, containers)
        last.returned = True
        remember(self.given, last.result, None)
        return last.result

    def argument(self, encoder, value):
        first = len(encoder.kept)
        text = encoder.text(value)
        if id(value) in self.shared:
            encoder.shared.update(enumerate(encoder.kept[first:], first))
        if len(text) >= LARGE and type(value) in (list, dict, set):
            if id(value) in self.large:
                raise NotPlain('a large argument again')
            keep(self.large, value)
        return text

    def containers(self, encoder, text):
        """The arguments' containers by number, in which changes arrive: copies, unless the tests see changes."""
        copies = []
        Decoder(self.declared, copies, appends=True).value(text)
        for number, value in encoder.shared.items():
            copies[number] = value
        return copies

    def request(self, kind, *payload):
        if self.fatal:
            raise self.fatal
        encoder = Encoder(self.declared, shares=False)
        return self.answer('[%s]' % ','.join([encoder.text(part) for part in (kind, *payload)]))

    def answer(self, text, known=None):
        try:
            self.send(text)
            return self.settle(known)
        except Fatal as fault:
            self.end(fault)

    def settle(self, containers=None):
        decoder = self.decoder
        try:
            text = self.receive()
            known = () if containers is None or text.endswith(UNCHANGED) and '"R"' not in text else containers()
            decoder.known, decoder.named = known, 0
            outcome, value, changed, later = decoder.value(text)
            self.apply(changed, known, decoder, value)
            for number, new in later:
                change(self.given[number][0], new)
            if outcome == 'raise':
                error = self.declared.rebuilt(value)
        except NotPlain as fault:
            raise Refused(str(fault)) from None
        except (Fatal, MemoryError):
            raise
        except Exception as fault:
            raise Refused('a message that cannot be read (%s)' % fault) from None
        if outcome == 'return':
            return value
        if outcome != 'raise':
            raise Refused(value if type(value) is str else 'a message that cannot be read')
        raise self.arriving(error)

    def apply(self, changed, known, decoder, value):
        """Applies what the call has changed in its arguments."""
        for number, new in changed:
            if type(number) is not int or not 0 <= number < len(known):
                raise Malformed('a number of no argument')
            change(known[number], new)
        if decoder.named and (changed or decoder.named > FEW):
            sizes = {}
            for part in (value, *known):
                unfolded(part, sizes)

    def arriving(self, error):
        if not isinstance(error, StopIteration):
            return error
        # It would silently end a loop over calls in the tests, such as `all(map(right, values))`; PEP 479 does the same for
        # generators. Tests that expect it are judged in one process.
        changed = RuntimeError('the candidate raised StopIteration')
        changed.hefix_origin = error.hefix_origin
        return changed


def nan_in(values, depth=0):
    for value in values:
        if type(value) is float and value != value:
            return value
        inner = list(value.values()) if isinstance(value, dict) else value
        found = isinstance(inner, (list, tuple, set)) and depth < 50 and nan_in(inner, depth + 1)
        if found:
            return found
    return None


def keep(values, value):
    values[id(value)] = value
    if len(values) > MAX_KEPT:
        del values[next(iter(values))]


class Call:
    """A call, with its arguments as they were sent."""

    def __init__(self, declared, name, texts, kwargs):
        self.declared, self.name, self.texts, self.kwargs = declared, name, texts, kwargs
        self.returned = False
        self.result = None

    @property
    def text(self):
        values = Decoder(self.declared, appends=True).value('[%s]' % ','.join(self.texts))
        shown = [shorten(value, MAX_ARGUMENT) for value in values]
        shown += ['%s=%s' % (name, shorten(value, MAX_ARGUMENT)) for name, value in self.kwargs.items()]
        return '%s(%s)' % (self.name, ', '.join(shown))


MAX_ARGUMENT = 120
