"""Prints a line "@call arguments" for each different call of a function, up to MAX_CALLS, before it is called."""

import functools
import inspect
import json
import sys

MAX_CALLS = 400


def recorded(function, out=None):
    signature = inspect.signature(function)
    out = out or sys.stdout
    seen = set()

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
            line = None if bound.kwargs else json.dumps([limited(plain(value)) for value in bound.args])
            if line and len(seen) < MAX_CALLS and line not in seen:
                seen.add(line)
                out.write('\n@call %s\n' % line)
        except Exception:
            pass
        return function(*args, **kwargs)

    return call
