"""Prevents the judge's process from running the candidate's results as code.

Tests may evaluate text of their own (`eval('f(2)')`, an expression that is also an argument). A result that is
evaluated, unpickled or unmarshalled, an annotation that is resolved, or a docstring example would run the candidate's
code: such tests are refused.
"""

import os
import sys

from line import Refused

# Modules that evaluate text they are given. Other modules that compile (dataclasses, collections) generate the text
# themselves.
EVALUATING = ('typing', 'inspect', 'annotationlib', 'doctest', 'timeit', 'code', 'codeop', 'runpy', 'pdb')
IMPORTING = 'importlib._bootstrap_external'
# Names that pickles of plain data refer to. Unpickling could call any other name.
PICKLED = {
    'builtins': {'set', 'frozenset', 'bytearray', 'complex', 'range', 'slice', 'object'},
    'collections': {'OrderedDict', 'defaultdict', 'Counter', 'deque'},
    'datetime': {'date', 'time', 'datetime', 'timedelta', 'timezone'},
    'decimal': {'Decimal'},
    'fractions': {'Fraction'},
    'uuid': {'UUID', 'SafeUUID'},
    'copyreg': {'_reconstructor', '__newobj__'},
    '_codecs': {'encode'},
}


def refuse_foreign_code(peer, source, names):
    """Starts watching. `source` is the tests' text, `names` are their globals."""

    def audit(event, args):
        if event == 'compile':
            check_text(*args)
        elif event == 'pickle.find_class' and not is_data(*args, names):
            peer.end(Refused('a pickle that names %s.%s' % args))
        elif event in ('marshal.loads', 'code.__new__') and is_of_tests(sys._getframe(1)):
            peer.end(Refused('code'))

    def check_text(text, file):
        frame = sys._getframe(2)
        module = frame.f_globals.get('__name__')
        if module == IMPORTING:
            own = not str(file).startswith(os.getcwd())
        elif is_of_tests(frame) or module in EVALUATING:
            text = bytes(text).decode('utf-8', 'replace') if isinstance(text, (bytes, bytearray)) else text
            own = type(text) is str and (all(line.strip() in source for line in text.split('\n')) or is_type(text))
        else:
            return
        if not own:
            peer.end(Refused('code, which the tests run'))

    sys.addaudithook(audit)


def is_of_tests(frame):
    return frame.f_code.co_filename == '<tests>'


def is_data(module, name, names):
    kind = names.get(name) if module == '__main__' else None
    return name in PICKLED.get(module, ()) or isinstance(kind, type) and kind.__module__ == '__main__'


def is_type(text):
    """Whether an annotation only names types, as in `dict[str, int] | None`, and calls nothing."""
    return not any(sign in text for sign in '(:;=\n')
