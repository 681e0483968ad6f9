"""Tests without a framework: functions named test…, scripts of assertions, and `check(candidate)`."""

import asyncio
import importlib
import inspect
import os
import sys

from standard_tests import import_file, last_line


def run_functions(space, settings, paths, recorder):
    found = []
    for path in paths:
        try:
            module = import_file(space, path)
        except BaseException as error:
            recorder.could_not_collect(last_line(error))
            return
        for name, function in list(vars(module).items()):
            if name.startswith("test") and inspect.isfunction(function):
                found.append(("%s::%s" % (path, name), function))
    for test, function in recorder.collected(found, lambda each: each[0]):
        run_one(test, function, recorder)
        if recorder.is_over():
            return


def run_one(test, call, recorder):
    try:
        with recorder.running(test):
            result = call()
            if inspect.iscoroutine(result):
                asyncio.run(result)
    except BaseException as error:
        recorder.failed_with(test, error)
    else:
        recorder.passed(test)


def run_script(space, settings, paths, recorder):
    """Runs a script as one test, which ends at its first failed assertion."""
    run_files(execute, space, settings, paths, recorder)


def run_check(space, settings, paths, recorder):
    run_files(check, space, settings, paths, recorder)


def run_files(run, space, settings, paths, recorder):
    """Each file is one test."""
    for path in recorder.collected(paths, str):
        run_one(path, lambda: run(space, settings, path), recorder)
        if recorder.is_over():
            return


def execute(space, settings, path):
    whole = os.path.join(space.root, path)
    folder = os.path.dirname(whole)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    with open(whole, "rb") as file:
        code = compile(file.read(), whole, "exec")
    names = {"__name__": "__main__", "__file__": whole}
    # Assertions without imports use names of the module under test.
    for source in settings["sources"]:
        module = import_file(space, source)
        names.update({key: value for key, value in vars(module).items() if not key.startswith("__")})
    exec(code, names)
    return names


def check(space, settings, path):
    names = execute(space, settings, path)
    entry = settings["entry_point"]
    module = import_file(space, settings["sources"][0])
    names["check"](getattr(module, entry))
