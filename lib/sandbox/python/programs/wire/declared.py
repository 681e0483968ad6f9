"""Classes that the task declares and that both sides define: their values are sent as data.

The judge runs the declaration itself, so an instance becomes one of its own class, whose methods are not the
candidate's. Instances are mutable and keep their identity, like the containers in heap.py.
"""

from bounds import Malformed

GENERIC = ('typing', 'abc', 'builtins')


class Declared:
    def __init__(self):
        self.classes = {}  # this side's class by name
        self.names = {}  # and the other way round
        self.kinds = {}  # 'object', 'enum', 'tuple' or 'error', by class

    def share(self, name, kind):
        self.classes[name], self.names[kind], self.kinds[kind] = kind, name, kind_of(kind)

    def named(self, name):
        if type(name) is not str or name not in self.classes:
            raise Malformed('a class that is not declared')
        return self.classes[name]


def kind_of(kind):
    """How instances of a class are sent; None if they are not sent as data."""
    if hasattr(type(kind), '__members__'):
        return 'enum'
    if issubclass(kind, BaseException):
        return 'error'
    if issubclass(kind, tuple):
        return 'tuple' if type(getattr(kind, '_fields', None)) is tuple else None
    plain = all(base.__module__ in (*GENERIC, kind.__module__) for base in kind.__mro__)
    of_builtin = any(base.__module__ == 'builtins' and base is not object for base in kind.__mro__)
    return 'object' if type(kind).__name__ in ('type', 'ABCMeta', '_ProtocolMeta') and plain and not of_builtin else None


def classes_in(space, module):
    """The classes of a module that can be shared, with their kinds, by name."""
    found = {}
    for name, value in list(space.items()):
        if isinstance(value, type) and value.__module__ == module and value.__name__ == name and kind_of(value):
            found[name] = kind_of(value)
    return found


def is_hashed(kind):
    """Whether instances are hashed by their fields, which must be known before they are put in a set."""
    return kind.__hash__ is not object.__hash__ and kind.__hash__ is not None


def fields_of(value):
    fields = {name: field for name, field in getattr(value, '__dict__', {}).items() if not is_defined(type(value), name)}
    for base in type(value).__mro__:
        for name in slots_of(base):
            if hasattr(value, name):
                fields[name] = getattr(value, name)
    return fields


def set_fields(value, fields):
    """Replaces the fields of an instance. What the class defines as methods or properties cannot be one."""
    kind = type(value)
    slots = {name for base in kind.__mro__ for name in slots_of(base)}
    space = getattr(value, '__dict__', None)
    for name in fields:
        if type(name) is not str or name.startswith('__'):
            raise Malformed('not a field')
        if name not in slots and (space is None or is_defined(kind, name)):
            raise Malformed('a field %s, which the class does not have' % name[:100])
    for name in slots:
        if name in fields:
            object.__setattr__(value, name, fields[name])
        elif hasattr(value, name):
            object.__delattr__(value, name)
    if space is not None:
        for name in [name for name in space if name not in fields and not is_defined(kind, name)]:
            del space[name]
        space.update((name, field) for name, field in fields.items() if name not in slots)


def slots_of(kind):
    return [name for name, one in kind.__dict__.items() if type(one).__name__ == 'member_descriptor']


def is_defined(kind, name):
    """Whether a class has a method or a property of that name. A cached property is no field of the other side."""
    found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
    return hasattr(type(found), '__get__')
