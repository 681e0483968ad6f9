"""Which parts of the tests' objects the candidate may use: those that the tests' own source defines.

A test case, an exit stack or a mock has many more, with which a candidate could end tests or change what they check.
"""

MAIN, MOCKS, CONTEXTS = '__main__', 'unittest.mock', 'contextlib'
# Modules whose classes have nothing that decides about tests.
HARMLESS = (MAIN, 'builtins', 'enum', 'typing', 'abc', 'collections.abc', 'collections', 'dataclasses', 'types')
ENTERING = ('__enter__', '__exit__', '__aenter__', '__aexit__', '__call__')
ABOUT_FUNCTIONS = ('__name__', '__qualname__', '__doc__', '__module__', '__annotations__')
# Attributes of mock objects that the candidate may not access.
CONTROLS = {
    'return_value', 'side_effect', 'called', 'call_count', 'call_args', 'call_args_list', 'mock_calls', 'method_calls',
    'configure_mock', 'reset_mock', 'attach_mock', 'mock_add_spec', 'await_count', 'await_args', 'await_args_list', 'awaited', 'mock',
}  # fmt: skip


def may_use(value, name, kind, uses):
    """Whether the candidate may get, set or delete an attribute. `uses` are the tests' own; see library_uses.py."""
    owner = value if isinstance(value, type) else type(value)
    if name[:1] == '_' or hasattr(BaseException, name):
        return False
    definer = definer_of(owner, name)
    if any(base.__module__ == MOCKS for base in owner.__mro__):
        return kind == 'get' and may_use_of_mock(value, name, definer, uses)
    if definer is not None and definer.__module__ not in HARMLESS:
        return False
    if owner.__module__ == CONTEXTS:
        return False
    if kind == 'get':
        is_plain = all(base.__module__ in HARMLESS for base in owner.__mro__)
        return is_plain or definer is not None or name not in getattr(value, '__dict__', ()) or '.%s' % name in uses
    return not isinstance(value, type) and not callable(getattr(owner, name, None))


def may_use_of_mock(mock, name, definer, uses):
    if definer is not None and definer.__module__ == MOCKS:
        # Each mock has a class of its own, to which tests add properties.
        return definer is type(mock) and '.%s' % name in uses and name not in CONTROLS
    return definer is not None or name not in CONTROLS and not name.startswith('assert')


def may_use_special(owner, name):
    """Whether the candidate may use a special method of an object of this class."""
    definer = definer_of(owner, name)
    if definer is None or definer.__module__ in HARMLESS or definer.__module__ == MOCKS:
        return True
    return definer.__module__ == CONTEXTS and name in ENTERING


def may_use_of_function(function, name, kind, uses):
    """Whether the candidate may use a public attribute of a function, or one that says what the function is."""
    if kind == 'get' and (name in ABOUT_FUNCTIONS or name == '__wrapped__'):
        return True
    if name[:1] == '_' or type(function).__name__ != 'function' or is_mock(function.__dict__.get('mock')):
        return False
    if kind == 'get':
        return name not in function.__dict__ or '.%s' % name in uses
    return kind == 'set' and name not in function.__dict__


def is_mock(value):
    return any(base.__module__ == MOCKS for base in type(value).__mro__)


def definer_of(owner, name):
    return next((base for base in owner.__mro__ if name in base.__dict__), None)
