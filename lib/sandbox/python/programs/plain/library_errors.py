"""Exceptions of the standard library that are sent by name: tests catch `json.JSONDecodeError` by its class.

A judge accepts only exceptions whose module its tests have loaded, and none with a meaning to a judge, such as a
skipped test; otherwise the nearest builtin class is used.
"""

import sys

MODULES = {
    'argparse', 'asyncio.exceptions', 'asyncio.queues', 'binascii', 'calendar', 'configparser', 'copy', '_csv', 'csv',
    'dataclasses', 'decimal', 'email.errors', 'getopt', 'graphlib', 'http.client', 'http.cookies', 'ipaddress',
    'json.decoder', 'locale', 'lzma', '_lzma', 'pickle', '_pickle', '_queue', 'queue', 're', 're._constants',
    'sre_constants', 'shutil', 'sqlite3', 'statistics', 'string', 'struct', '_struct', 'tarfile', 'tokenize', 'tomllib',
    'urllib.error', 'xml.etree.ElementTree', 'zipfile', 'zlib', 'zoneinfo', 'zoneinfo._common',
}  # fmt: skip


# Classes that newer Pythons renamed: judge and candidate may run different versions.
RENAMED = {'PatternError': 'error'}


def found_error(module, path):
    """The exception class with that name if this side has loaded it, else None."""
    if module not in MODULES:
        return None
    kind, path = sys.modules.get(module), RENAMED.get(path, path)
    for name in path.split('.'):
        kind = getattr(kind, name, None)
    return kind if isinstance(kind, type) and issubclass(kind, Exception) else None


def error_name(kind):
    """The name under which `found_error` finds a class, or None."""
    # struct.error and similar classes are found under a name of their module.
    for module in (kind.__module__, kind.__module__.lstrip('_')):
        if found_error(module, kind.__qualname__) is kind:
            return module, kind.__qualname__
    return None
