"""The names that HumanEval's harness puts in scope for candidate and tests, imported on first use."""

import sys

from exports import EXPORTS

MODULES = (
    'math', 're', 'sys', 'copy', 'datetime', 'itertools', 'collections', 'heapq', 'functools', 'hashlib', 'numpy',
    'string', 'random', 'np',
)  # fmt: skip


def prelude(name, seed='0'):
    """The value of such a name. KeyError if the harness does not define it or the module is not installed.

    Modules of random numbers begin with `seed`, hexadecimal digits, so that the same tests and candidate always get
    the same verdict. The judge has one that a candidate does not know.
    """
    if name in MODULES:
        try:
            module = __import__('numpy' if name == 'np' else name)
        except ImportError:
            raise KeyError(name) from None
        if name == 'random':
            module.seed(int(seed, 16))
        if name in ('numpy', 'np'):
            module.random.seed(int(seed[:8], 16))
        return module
    if name in ('exit', 'quit'):
        # Python's site module defines these, but is skipped to start faster.
        return sys.exit
    if name == 'help':
        return show_help
    for source, names in EXPORTS:
        if name in names:
            return getattr(__import__(source), name)
    raise KeyError(name)


def defines(name):
    """Whether `prelude` has a value for a name, unless its module is not installed."""
    return name in MODULES or name in ('exit', 'quit', 'help') or any(name in names for _, names in EXPORTS)


def show_help(*subjects):
    """Prints an object's docstring. Replaces pydoc, which opens more files and streams than a jail allows."""
    for subject in subjects:
        print(getattr(subject, '__doc__', None) or 'No documentation.')


def names_used(code):
    """Every name that a code object or one inside it looks up, including attribute names, which does no harm."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if type(constant) is type(code):
            names |= names_used(constant)
    return names
