"""Stand-ins for the other side's functions, iterators, coroutines, classes and objects.

Each holds the number under which the other side knows the real one, and asks that side whenever it is used.
"""

from bounds import Malformed
from errors import OWN

MAX_SPECIALS = 200

COMPARISONS = ('__eq__', '__ne__', '__lt__', '__le__', '__gt__', '__ge__')
SPECIALS = (
    *COMPARISONS, '__hash__', '__repr__', '__str__', '__format__', '__bool__', '__len__', '__contains__', '__getitem__',
    '__setitem__', '__delitem__', '__iter__', '__next__', '__reversed__', '__call__', '__enter__', '__exit__',
    '__aenter__', '__aexit__', '__aiter__', '__anext__', '__await__', '__get__',
    '__add__', '__radd__', '__iadd__', '__sub__', '__rsub__', '__isub__', '__mul__', '__rmul__', '__imul__',
    '__truediv__', '__rtruediv__', '__floordiv__', '__rfloordiv__', '__mod__', '__rmod__', '__divmod__', '__pow__',
    '__rpow__', '__matmul__', '__and__', '__rand__', '__or__', '__ror__', '__xor__', '__rxor__', '__lshift__',
    '__rshift__', '__neg__', '__pos__', '__abs__', '__invert__', '__int__', '__float__', '__complex__', '__index__',
    '__round__', '__trunc__', '__floor__', '__ceil__', '__bytes__', '__fspath__', '__missing__', '__length_hint__',
)  # fmt: skip


class Function:
    """A function. As an attribute of a class, it binds like one."""

    __slots__ = ('hefix',)

    def __init__(self, peer, number, name, binds):
        object.__setattr__(self, 'hefix', (peer, number, name, binds))

    def __call__(self, *args, **kwargs):
        peer, number, _, _ = self.hefix
        return peer.call(number, args, kwargs)

    def __get__(self, owner, kind=None):
        return self if owner is None or not self.hefix[3] else type(self.__call__)(self, owner)

    def __getattr__(self, name):
        # Attributes that functools, copy and pickle look for.
        if name in ('__dict__', '__deepcopy__', '__copy__', '__isabstractmethod__', 'hefix'):
            raise AttributeError(name)
        return self.hefix[0].attribute(self, self.hefix[1], name)

    def __setattr__(self, name, value):
        self.hefix[0].request('set', (self.hefix[1], name, value))

    __name__ = property(lambda self: self.hefix[2])
    __doc__ = property(lambda self: self.hefix[0].attribute(self, self.hefix[1], '__doc__'))
    __module__ = property(lambda self: self.hefix[0].attribute(self, self.hefix[1], '__module__'))
    __signature__ = property(lambda self: signature(self.hefix[0], self.hefix[1]))

    def __repr__(self):
        return '<function %s>' % self.__name__


def signature(peer, number):
    """The signature that `inspect.signature` returns on the other side."""
    import inspect

    parameters, returns = peer.request('signature', number)
    made = [inspect.Parameter(name, getattr(inspect.Parameter, kind), **more) for name, kind, more in parameters]
    return inspect.Signature(made, **returns)


def signature_of(function):
    """Name, kind, default and annotation of each parameter, and the return annotation."""
    import inspect

    found = inspect.signature(function)
    parts = []
    for one in found.parameters.values():
        more = {key: getattr(one, key) for key in ('default', 'annotation') if getattr(one, key) is not one.empty}
        parts.append((one.name, one.kind.name, more))
    returns = {} if found.return_annotation is found.empty else {'return_annotation': found.return_annotation}
    return parts, returns


class Iterator:
    def __init__(self, peer, number):
        self.hefix = peer, number

    def __iter__(self):
        return self

    def __next__(self):
        peer, number = self.hefix
        return peer.step('next', number, None)


class Generator(Iterator):
    __class__ = property(lambda self: type(nothing()))

    def send(self, value):
        peer, number = self.hefix
        return peer.step('send', number, value)

    def throw(self, kind, value=None, _trace=None):
        peer, number = self.hefix
        error = value if isinstance(value, BaseException) else kind if isinstance(kind, BaseException) else None
        if error is None:
            error = kind() if value is None else kind(value)
        return peer.step('throw', number, error)

    def close(self):
        peer, number = self.hefix
        peer.step('close', number, None)


def nothing():
    yield


async def coroutine(peer, number):
    """Waits in this side's event loop for a coroutine of the other side, which runs it in its own."""
    import asyncio

    over = False
    try:
        while True:
            over, value = peer.request('poll', number)
            if over:
                return value
            await asyncio.sleep(0)
    except Exception:
        over = True
        raise
    finally:
        if not over:
            peer.request('cancel', number)


def class_of_coroutines():
    waiting = coroutine(None, 0)
    waiting.close()
    return type(waiting)


COROUTINE = class_of_coroutines()


class AsyncGenerator:
    def __init__(self, peer, number):
        self.hefix = peer, number

    def __aiter__(self):
        return self

    def __anext__(self):
        return self.hefix[0].special(self, self.hefix[1], '__anext__', ())

    def aclose(self):
        return self.hefix[0].attribute(self, self.hefix[1], 'aclose')()

    def asend(self, value):
        return self.hefix[0].attribute(self, self.hefix[1], 'asend')(value)


Opaque = type('object', (), {'__slots__': (), '__module__': 'builtins', '__doc__': 'An `object()` of the other side.'})


class HandleType(type):
    """The metaclass of stand-ins for the other side's classes."""

    def __new__(cls, name, bases, namespace):
        peer = namespace.pop('__hefix__', None)
        if peer is None:
            next(base for base in bases if type(base) is cls).hefix_class[0].no_subclass(bases)
        return super().__new__(cls, name, bases, namespace)

    __doc__ = property(lambda cls: cls.hefix_class[0].attribute(cls, cls.hefix_class[1], '__doc__'))
    __signature__ = property(lambda cls: signature(*cls.hefix_class))
    # Without the attributes that make a class a stand-in.
    __mro__ = property(lambda cls: tuple(base for base in type.__dict__['__mro__'].__get__(cls) if base not in MIXINS))
    __bases__ = property(lambda cls: tuple(base for base in type.__dict__['__bases__'].__get__(cls) if base not in MIXINS) or (object,))

    def __call__(cls, *args, **kwargs):
        peer, number = cls.hefix_class
        return peer.construct(cls, number, args, kwargs)

    def __getattr__(cls, name):
        if name.startswith(('__abstract', 'hefix_')):
            raise AttributeError(name)
        peer, number = cls.hefix_class
        return peer.attribute(cls, number, name)

    def __setattr__(cls, name, value):
        if name.startswith('__'):
            return super().__setattr__(name, value)
        peer, number = cls.hefix_class
        peer.request('set', (number, name, value))

    def __delattr__(cls, name):
        if name.startswith('__'):
            return super().__delattr__(name)
        peer, number = cls.hefix_class
        peer.request('delete', (number, name))


class EnumType(HandleType):
    def __iter__(cls):
        return iter(cls.hefix_class[0].special(cls, cls.hefix_class[1], '__iter__', ()))

    def __len__(cls):
        return cls.hefix_class[0].special(cls, cls.hefix_class[1], '__len__', ())

    def __getitem__(cls, name):
        return cls.hefix_class[0].special(cls, cls.hefix_class[1], '__getitem__', (name,))

    def __contains__(cls, member):
        return cls.hefix_class[0].special(cls, cls.hefix_class[1], '__contains__', (member,))


class Handle:
    """An object of the other side."""

    __slots__ = ('hefix',)

    def __getattr__(self, name):
        if name == 'hefix':
            raise AttributeError(name)
        peer, number = self.hefix
        return peer.attribute(self, number, name)

    def __setattr__(self, name, value):
        peer, number = self.hefix
        peer.request('set', (number, name, value))

    def __delattr__(self, name):
        peer, number = self.hefix
        peer.request('delete', (number, name))

    def __repr__(self):
        peer, number = self.hefix
        return peer.special(self, number, '__repr__', ())

    def __str__(self):
        peer, number = self.hefix
        return peer.special(self, number, '__str__', ())

    def __reduce_ex__(self, _protocol):
        self.hefix[0].give_up('copy or pickle %s' % shown_handle(self))


def shown_handle(value):
    name = type(value).__name__
    return '%s %s object' % ('an' if name[:1].lower() in tuple('aeiou') else 'a', name)


def forward(name):
    def method(self, *args, **kwargs):
        peer, number = self.hefix
        if name == '__call__':
            return peer.call(number, args, kwargs)
        return peer.special(self, number, name, args)

    method.__name__ = name
    return method


class Raised:
    """For exceptions of classes that this side does not have: asks the other side for anything that was not sent."""

    def __getattr__(self, name):
        borrowed = self.__dict__.get('hefix_borrowed')
        if borrowed is None or name.startswith(('__', OWN)):
            raise AttributeError(name)
        peer, number = borrowed
        return peer.attribute(self, number, name)

    def __str__(self):
        return self.__dict__.get('hefix_message', '')


class Valued:
    """For values of subclasses of plain classes: compared by value, on this side."""

    def __getattr__(self, name):
        found = self.__dict__.get('hefix')
        if found is None or name.startswith('__'):
            raise AttributeError(name)
        return found[0].attribute(self, found[1], name)


MIXINS = (Handle, Raised, Valued)


def stand_in_class(peer, number, name, bases, specials, fields, abstract):
    """Creates a stand-in for a class of the other side. `fields` are a named tuple's, or mark an enumeration."""
    plain = all(type(part) is str for part in (name, *specials, *abstract)) and all(isinstance(base, type) for base in bases)
    if not plain or len(specials) > MAX_SPECIALS:
        raise Malformed('not a class')
    namespace = {'__hefix__': peer, '__module__': peer.module_of_theirs, '__qualname__': name}
    namespace['hefix_class'] = peer, number
    known = tuple(base for base in bases if base is not object)
    kind = EnumType if fields == 'enum' else HandleType
    if any(issubclass(base, BaseException) for base in known):
        stand_in = kind(name, (*[base for base in known if type(base) is HandleType], *front(Raised, known)), namespace)
    elif any(issubclass(base, PLAIN) for base in known):
        if type(fields) is tuple and known == (tuple,):
            from collections import namedtuple

            known = (namedtuple(name if name.isidentifier() else 'Tuple', fields),)
        stand_in = kind(name, (*[base for base in known if type(base) is HandleType], *front(Valued, known)), namespace)
    else:
        namespace['__slots__'] = ()
        namespace['__doc__'] = property(lambda self: self.hefix[0].attribute(self, self.hefix[1], '__doc__'))
        for special in specials:
            if special == '-__hash__':
                namespace['__hash__'] = None
            elif special in SPECIALS and special not in ('__get__',):
                namespace[special] = forward(special)
        if '__eq__' in namespace and '__hash__' not in namespace:
            namespace['__hash__'] = None
        declared = tuple(base for base in known if not issubclass(base, Handle) and base.__module__ != 'builtins')
        show_bases(name, declared, namespace)
        parents = tuple(base for base in known if issubclass(base, Handle))
        try:
            stand_in = kind(name, parents or (Handle,), namespace)
        except TypeError:
            namespace['__hefix__'] = peer
            stand_in = kind(name, (Handle,), namespace)
        for base in declared:
            if hasattr(base, 'register'):
                base.register(stand_in)
    for one in abstract:
        import collections.abc

        if one in collections.abc.__all__:
            getattr(collections.abc, one).register(stand_in)
    return stand_in


def show_bases(name, declared, namespace):
    """Makes `isinstance` see this side's own classes that a class of the other side inherits from."""
    if not declared:
        return
    try:
        shown = type(declared[0])(name, declared, {'__module__': namespace['__module__']})
    except TypeError:
        return
    namespace['__class__'] = property(lambda self: shown)


def front(mixin, bases):
    """Puts builtin bases behind a mixin, unless a base that is a stand-in already has it."""
    builtin = [base for base in bases if not isinstance(base, HandleType)]
    return builtin if len(builtin) < len(bases) else [mixin, *builtin]


PLAIN = (int, float, complex, str, bytes, tuple, frozenset)
# What stands in for something that is not data.
REFERENCES = (Function, Iterator, AsyncGenerator, Opaque, HandleType, Handle, COROUTINE)
