"""Changes statements of the standard library's functions, and compares the code that `ChangedPart` makes of the changed
function with the code of the whole file. Arguments: the folder of swapped_code.py. Prints how many were compared.
"""

import ast
import os
import random
import sys

sys.path.insert(0, sys.argv[1])

from swapped_code import FUTURE, ChangedPart, compiled, functions_in  # noqa: E402

FILES = "argparse dataclasses enum pathlib statistics zipfile".split()


def main():
    random.seed(1)
    compared = 0
    for name in FILES:
        path = os.path.join(os.path.dirname(os.__file__), name + ".py")
        if os.path.exists(path):
            with open(path, "rb") as file:
                compared += compare_all(path, file.read())
    print(compared)


def compare_all(path, source):
    whole = compiled(source, path)
    known = set(functions_in(whole).values())
    flags = whole.co_flags & FUTURE
    part = ChangedPart(source)
    compared = 0
    for text in changed_texts(source.decode("utf-8")):
        before, after = part.versions(text.encode("utf-8"))
        try:
            expected = set(functions_in(compiled(text, path)).values())
        except SyntaxError:
            continue
        if before is None:
            continue
        assert known.issuperset(functions_in(compiled(before, path, flags)).values()), (path, before)
        assert expected.issuperset(functions_in(compiled(after, path, flags)).values()), (path, after)
        compared += 1
    return compared


def changed_texts(text):
    rows = text.split("\n")
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt) and not isinstance(node, definitions)]
    for node in random.sample(nodes, min(10, len(nodes))):
        indent = rows[node.lineno - 1][: node.col_offset]
        if indent.strip() == "":
            first, last = node.lineno - 1, node.end_lineno
            added = indent + "print(1)"
            yield "\n".join([*rows[:first], added, *rows[first:]])
            yield "\n".join([*rows[:last], added, *rows[last:]])
            yield "\n".join([*rows[:first], indent + "pass", *rows[last:]])


main()
