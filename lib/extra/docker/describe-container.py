"""Runs once in a container to describe its Python: what bundle.py prints, which files it reads, and the machine.

Standard input: JSON {"bundle": the sandbox's modules by file name, "describe": the source of describe.py}.
"""

import contextlib
import io
import json
import os
import sys


def main():
    given = json.load(sys.stdin)
    for name, source in given["bundle"].items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(source)
    bundle = output_of(given["bundle"]["bundle.py"], os.path.abspath("bundle.py"))
    read = output_of(given["describe"], "describe.py")
    print(json.dumps({"bundle": bundle, "read": json.loads(read), "machine": os.uname().machine}))


def output_of(source, path):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, path, "exec"), {"__name__": "__main__", "__file__": path})
    return printed.getvalue()


main()
