"""Dataclasses, enums and named tuples that the task declares: their instances are sent as fields.

The judge runs the declaration itself, so an instance becomes one of its own class, whose methods are not the
candidate's.
"""

from errors import described, rebuilt


class Declared:
    def __init__(self, space=(), module=None):
        """The classes that a module defines. The candidate's side has those that the judge names."""
        self.classes, self.names, self.kinds = {}, {}, {}
        self.at_end = None  # the error of an iterator that has more items than were sent
        for name, kind in list(dict(space).items()):
            if isinstance(kind, type) and kind.__module__ == module and kind.__name__ == name:
                self.share(name, kind)

    def share(self, name, kind):
        how = kind_of(kind)
        if how:
            self.classes[name] = kind
            self.names[kind], self.kinds[kind] = name, how

    def parts(self, value, kind, how):
        if how == 'n':
            return list(tuple.__iter__(value))
        if how == 'e':
            return value._name_ if kind.__members__.get(value._name_) is value else [value._value_]
        return {name: getattr(value, name) for name in fields_of(kind) if hasattr(value, name)}

    def build(self, tag, name, parts):
        kind = self.classes.get(name)
        if kind is None or self.kinds.get(kind) != tag:
            raise ValueError('a class that is not declared')
        if tag == 'n':
            if len(parts) != len(kind._fields):
                raise ValueError('a tuple of another length')
            return tuple.__new__(kind, parts)
        if tag == 'e':
            return kind.__members__[parts] if type(parts) is str else kind(parts[0])
        value, names = object.__new__(kind), fields_of(kind)
        for field, part in parts.items():
            if field not in names:
                raise ValueError('a field that the class does not have')
            object.__setattr__(value, field, part)
        return value

    def described(self, error):
        return described(error, self)

    def rebuilt(self, parts):
        return rebuilt(parts)


def fields_of(kind):
    """Those of instances: others of `__dataclass_fields__` are the class's, or only arguments."""
    return [name for name, field in kind.__dataclass_fields__.items() if field._field_type.name == '_FIELD']


def kind_of(kind):
    """How instances of a class are sent; None if they are not sent as data."""
    if hasattr(type(kind), '__members__'):
        return 'e'
    if issubclass(kind, tuple):
        return 'n' if type(getattr(kind, '_fields', None)) is tuple else None
    return 'o' if type(getattr(kind, '__dataclass_fields__', None)) is dict and not issubclass(kind, BaseException) else None
