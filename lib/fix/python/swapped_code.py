"""Puts another version of a file into loaded modules by giving its functions the new code.

Works if the versions differ only inside functions that nothing has called yet; otherwise the file must be imported
again.
"""

import __future__
import ast
import gc
import io
import os
import sys
import tokenize
import types
from itertools import accumulate

from executed_code import FUNCTION, real_path
from workspace import places_of

FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class NotSwappable(Exception):
    """The file must be imported again."""


class LoadedFile:
    """A project file as the loaded modules have it, and the functions defined in it."""

    def __init__(self, path, functions, earlier, called):
        """`functions` of all loaded modules, and those of them that `earlier` runs had loaded; `called`: name and line of
        everything that ran during import.
        """
        self.path = path
        with open(path, "rb") as file:
            source = file.read()
        self.code = compiled(source, path)
        self.known = set(functions_in(self.code).values())
        self.part = ChangedPart(source)
        self.called = called
        self.functions = {}
        old = {id(each) for each in earlier}
        for each in functions:
            code = each.__code__
            if real_path(code.co_filename) == path and (code in self.known or id(each) not in old):
                self.functions.setdefault(code, []).append(each)
        self.is_known = self.functions.keys() <= self.known
        self.is_loaded = any(path in map(real_path, places_of(module)) for module in list(sys.modules.values()))

    def swap(self, source):
        """Gives the functions the code of another version of the file."""
        if not self.is_loaded and not self.functions:
            return
        if not self.is_known:
            raise NotSwappable
        before, after = self.versions(source)
        if outline(after) != outline(before):
            raise NotSwappable
        codes = functions_in(after)
        for key, code in functions_in(before).items():
            if key not in codes:
                raise NotSwappable
            if (code.co_name, code.co_firstlineno) in self.called and own_part(code) != own_part(codes[key]):
                raise NotSwappable
            if codes[key] == code:
                continue
            for function in self.functions.get(code, ()):
                try:
                    function.__code__ = codes[key]
                except ValueError as error:  # variables of the enclosing function
                    raise NotSwappable from error

    def versions(self, source):
        """The code of both versions: only of the function that differs if that is possible, which is faster."""
        flags = self.code.co_flags & FUTURE
        before, after = [part and compiled(part, self.path, flags) for part in self.part.versions(source)]
        if before and self.known.issuperset(functions_in(before).values()):
            return before, after
        return self.code, compiled(source, self.path)


class ChangedPart:
    """Finds the function in which a version of a file differs."""

    def __init__(self, source):
        self.encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        self.text = self.decoded(source)
        rows = self.text.split("\n")
        starts = list(accumulate((len(row) + 1 for row in rows), initial=0))
        tree = ast.parse(source)
        # Calls on what the module imports are compiled differently.
        names = imported_names(tree)
        self.imports = "\nimport %s\n" % ", ".join(names) if names else "\n"
        self.functions = [
            (starts[row], starts[end], "\n".join([*head, *[""] * (row - len(head)), ""]))
            for row, end, head in functions_of(tree.body, rows)
        ]

    def decoded(self, source):
        return source.decode(self.encoding).replace("\r\n", "\n").replace("\r", "\n")

    def versions(self, source):
        """Modules with only this function, in the same place and the same classes, of both versions; or None twice."""
        old, new = self.text, self.decoded(source)
        length = min(len(old), len(new))
        # From the first row that differs, since added rows may begin like those behind them.
        first = old.rfind("\n", 0, longest(length, lambda size: old.startswith(new[:size]))) + 1
        last = len(old) - longest(length - first, lambda size: old.endswith(new[len(new) - size :]))
        for start, end, head in self.functions:
            # Text that is only added stands behind the start.
            if start <= first and last <= end and start < max(first, last):
                return [head + text + self.imports for text in (old[start:end], new[start : end + len(new) - len(old)])]
        return None, None


def longest(limit, is_same):
    """The largest number up to the limit for which, as for all smaller ones, something is the same."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        low, limit = (middle, limit) if is_same(middle) else (low, middle - 1)
    return low


def imported_names(node):
    """Names that a module binds by imports, besides those of its classes and functions."""
    names = set()
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            names.update((each.asname or each.name).split(".")[0] for each in inner.names)
        elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            names.update(imported_names(inner))
    return sorted(names - {"*"})


def functions_of(body, rows, head=()):
    """Each function that is no other's part: its first row, the row behind it, and the rows above with its classes."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            row = rows[node.lineno - 1]
            header = row[: len(row) - len(row.lstrip())] + "class %s:" % node.name
            yield from functions_of(node.body, rows, (*head, *[""] * (node.lineno - 1 - len(head)), header))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1, node.end_lineno, head


def compiled(source, path, flags=0):
    return compile(source, path, "exec", flags, dont_inherit=True)


def loaded_functions(root):
    """Functions from files below a folder."""
    inside = root + os.sep
    # Unlike `isinstance`, `type` runs no code of objects.
    functions = [each for each in gc.get_objects() if type(each) is types.FunctionType]
    return [each for each in functions if each.__code__.co_filename.startswith(inside)]


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
    for const in own_consts(code):
        if not isinstance(const, types.CodeType):
            consts.append((type(const), const))
        elif const.co_flags & FUNCTION:
            consts.append(const.co_name)
        else:
            consts.append(outline(const))
    return code.co_code, code.co_names, code.co_varnames, tuple(consts)


def own_consts(code):
    """Without the names of a class's attributes, which come from its methods and have no order."""
    consts = [*code.co_consts]
    last = max((at for at, const in enumerate(consts) if const is not None), default=0)
    if "__static_attributes__" in code.co_names and isinstance(consts[last], tuple):
        del consts[last]
    return consts


def own_part(code):
    """A function's own instructions, without those of nested functions."""
    return (*outline(code), code.co_freevars, code.co_cellvars)
