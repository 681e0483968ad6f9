"""Prints a description of this Python and the sandbox's modules, compiled with it, as JSON.

Runs once per sandbox; the sandbox's processes then start from the compiled modules without reading a file. This file
must parse on every Python version, because it also detects that a Python is too old.
"""

import base64
import json
import marshal
import os
import sys
import zlib

# In order of dependency.
SHARED = ['bounds', 'containers', 'heap', 'library_values', 'wire', 'errors', 'library_errors', 'stand_ins', 'functions', 'line', 'peer', 'prelude', 'confine']
TESTS = ['shorten', 'nodes', 'library_uses', 'asserts', 'checks', 'pytest_tests', 'run_tests', 'isolated']
PROGRAMS = {
    'candidate': SHARED + TESTS + ['candidate'],
    'candidates': SHARED + TESTS + ['jails', 'forker', 'candidate', 'candidates'],
    'judges': SHARED + TESTS + ['jails', 'forker', 'surroundings', 'evaluated', 'judge_peer', 'judge', 'judges'],
    'syntax': ['confine', 'syntax'],
    'builder': ['confine', 'builder'],
    'builders': ['confine', 'jails', 'forker', 'builder', 'builders'],
    'programs': ['confine', 'jails', 'forker', 'programs'],
}


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    about = {'executable': sys.executable, 'version': list(sys.version_info[:3])}
    if sys.version_info >= (3, 9):
        about['packages'] = [path for path in sys.path if path.endswith('-packages')]
        about['programs'] = dict((name, bundle(folder, modules)) for name, modules in PROGRAMS.items())
    print(json.dumps(about))


def bundle(folder, modules):
    codes = []
    for module in modules:
        with open(os.path.join(folder, module + '.py'), 'rb') as file:
            # Level 2 removes docstrings. The code is compressed because it becomes a command-line argument.
            codes.append((module, compile(file.read(), 'hefix/%s.py' % module, 'exec', 0, True, 2)))
    return base64.b64encode(zlib.compress(marshal.dumps(codes))).decode('ascii')


main()
