"""Puts another version of a file into loaded modules by giving its functions the new code.

Works if the versions differ only inside functions that nothing has called yet; otherwise the file must be imported
again.
"""

import gc
import os
import sys
import types

FUNCTION = 1  # CO_OPTIMIZED: neither a module nor the body of a class


class NotSwappable(Exception):
    """The file must be imported again."""


class LoadedFile:
    """A project file as the loaded modules have it, and the functions defined in it."""

    def __init__(self, path, functions, called):
        """`functions`: those of all loaded modules; `called`: name and line of everything that ran during import."""
        self.path = path
        with open(path, "rb") as file:
            self.code = compiled(file.read(), path)
        self.old = functions_in(self.code)
        self.keys = {code: key for key, code in self.old.items()}
        self.called = called
        self.functions = [each for each in functions if each.__code__.co_filename == path]
        loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        self.is_loaded = path in loaded

    def swap(self, source):
        """Gives the functions the code of another version of the file."""
        if not self.is_loaded and not self.functions:
            return
        new = compiled(source, self.path)
        if outline(new) != outline(self.code):
            raise NotSwappable
        codes = functions_in(new)
        old = self.old
        for key, code in old.items():
            if key not in codes:
                raise NotSwappable
            if (code.co_name, code.co_firstlineno) in self.called and own_part(code) != own_part(codes[key]):
                raise NotSwappable
        for function in self.functions:
            key = self.keys.get(function.__code__)
            if key is None:
                raise NotSwappable
            if codes[key] != old[key]:
                try:
                    function.__code__ = codes[key]
                except ValueError as error:  # variables of the enclosing function
                    raise NotSwappable from error


def compiled(source, path):
    return compile(source, path, "exec", dont_inherit=True)


def loaded_functions(root):
    """Functions from files below a folder."""
    inside = root + os.sep
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, types.FunctionType) and each.__code__.co_filename.startswith(inside)
    ]


def functions_in(code, key=()):
    """The code of each function, keyed by the names around it; functions with the same name are numbered."""
    found = {}
    counts = {}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            count = counts[inner.co_name] = counts.get(inner.co_name, 0) + 1
            own = (*key, inner.co_name, count)
            if inner.co_flags & FUNCTION:
                found[own] = inner
            found.update(functions_in(inner, own))
    return found


def outline(code):
    """The code that runs on import: the module and its classes, without the code of functions."""
    consts = []
    for const in code.co_consts:
        if not isinstance(const, types.CodeType):
            consts.append((type(const), const))
        elif const.co_flags & FUNCTION:
            consts.append(const.co_name)
        else:
            consts.append(outline(const))
    return code.co_code, code.co_names, code.co_varnames, tuple(consts)


def own_part(code):
    """A function's own instructions, without those of nested functions."""
    return (*outline(code), code.co_freevars, code.co_cellvars)
