"""Prints a description of this Python and the sandbox's modules, compiled with it, as JSON.

The sandbox's processes then start from the compiled modules without reading a file. This file
must parse on every Python version, because it also detects that a Python is too old.

Argument: describe.py, which finds the files that this Python reads; it may be missing.
"""

import base64
import json
import marshal
import os
import sys
import zlib

# In order of dependency.
SHARED = ['plain', 'errors', 'declared', 'line', 'exports', 'prelude', 'nodes', 'confine']
TESTS = ['shorten', 'library_uses', 'assertions', 'reach', 'independent', 'asserts', 'checks', 'helpers', 'pytest_tests', 'run_tests', 'isolated']
PROGRAMS = {
    'candidate': SHARED + TESTS + ['candidate'],
    'candidates': SHARED + TESTS + ['jails', 'forker', 'candidate'],
    'judges': SHARED + TESTS + ['jails', 'forker', 'frames', 'language', 'needs', 'calls', 'counting', 'judge'],
    'syntax': ['confine', 'frames', 'syntax'],
    'builder': ['confine', 'frames', 'builder'],
    'builders': ['confine', 'jails', 'forker', 'frames', 'builder'],
    'programs': ['confine', 'jails', 'forker', 'fork_server', 'programs'],
}


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path != folder]
    implementation = getattr(getattr(sys, 'implementation', None), 'name', 'cpython')
    about = {'executable': sys.executable, 'version': list(sys.version_info[:3]), 'implementation': implementation}
    if sys.version_info >= (3, 9) and implementation == 'cpython':
        about['packages'] = [path for path in sys.path if path.endswith('-packages')]
        about['programs'] = compiled_programs(folder)
        if sys.argv[1:]:
            about['files'] = files_read(sys.argv[1])
    print(json.dumps(about))


def compiled_programs(folder):
    codes = {}
    sources = dict((name, os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)
    for module in set(sum(PROGRAMS.values(), [])):
        with open(sources[module + '.py'], 'rb') as file:
            # Level 2 removes docstrings.
            codes[module] = compile(file.read(), 'hefix/%s.py' % module, 'exec', 0, True, 2)
    exports = {}
    exec(codes['exports'], exports)
    codes['exports'] = compile('EXPORTS = %r' % (exports['EXPORTS'],), 'hefix/exports.py', 'exec')
    return dict((name, bundle([(module, codes[module]) for module in modules])) for name, modules in PROGRAMS.items())


def bundle(codes):
    # Compressed because it becomes a command-line argument.
    return base64.b64encode(zlib.compress(marshal.dumps(codes))).decode('ascii')


def files_read(describe):
    scope = {'__name__': 'describe'}
    with open(describe, 'rb') as file:
        exec(compile(file.read(), describe, 'exec'), scope)
    return scope['files']()


main()
