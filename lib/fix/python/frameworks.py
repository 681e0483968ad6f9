"""Picks a test framework for each file of tests, and runs it."""

import ast
import os

from outcomes import Recorder, TimeUp
from plain_tests import run_check, run_functions, run_script
from standard_tests import run_doctests, run_unittest

try:
    import pytest
    from pytest_tests import load_plugins, run_pytest
except ImportError:
    pytest = run_pytest = load_plugins = None


def run_tests(space, settings, request, before_run=None):
    """Returns a report: the outcome of each test, and why tests could not be collected, or null.

    `before_run` is called with the recorder each time tests are collected and about to run.
    """
    recorder = Recorder(space, request, before_run)
    try:
        run_all(space, settings, request, recorder)
    except TimeUp:
        recorder.note_time_up()
    return recorder.report()


def load_ahead(space, settings):
    """Loads what takes longer than most tests, but nothing of the project."""
    if "pytest" in groups_of(space, settings):
        load_plugins(space)


def run_all(space, settings, request, recorder):
    if settings["doctest"]:
        run_doctests(settings["doctest"], recorder)
    for kind, paths in groups_of(space, settings).items():
        if recorder.is_over():
            return
        runners[kind](space, settings, paths, recorder)


def groups_of(space, settings):
    """The files of tests, by framework."""
    if settings["doctest"] and not settings["tests"]:
        return {}
    framework = "pytest" if pytest else "unittest"
    groups = {}
    for path in settings["tests"]:
        whole = os.path.join(space.root, path)
        for kind in kinds_of(whole):
            groups.setdefault(kind, []).append(path)
    if not settings["tests"]:
        groups = {framework: []}
    elif settings["whole"] and pytest:
        # pytest finds its tests as the project's configuration says; importing a script would run it.
        scripts = {kind: paths for kind, paths in groups.items() if kind != framework}
        groups = {framework: ["--ignore=" + path for paths in scripts.values() for path in paths], **scripts}
    return groups


def kinds_of(path):
    """Which framework a file of tests uses; a folder is left to the framework."""
    framework = "pytest" if pytest else "unittest"
    if os.path.isdir(path):
        return [framework]
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except SyntaxError:
        return ["pytest" if pytest else "script"]
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)}
    # A class may inherit its tests.
    inherits = any(isinstance(node, ast.ClassDef) and node.bases and "Test" in node.name for node in tree.body)
    if inherits or has_created_class(tree) or any(name.startswith("test") for name in names):
        if pytest:
            return ["pytest"]
        classes = has_created_class(tree) or any(isinstance(node, ast.ClassDef) for node in tree.body)
        functions = any(
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")
            for node in tree.body
        )
        return (["unittest"] if classes else []) + (["functions"] if functions or not classes else [])
    return ["check" if "check" in names and not calls_check(tree) else "script"]


def has_created_class(tree):
    """Whether a call returns a class of tests, as in `TestNumbers = create_tests(cases)`."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and any(isinstance(name, ast.Name) and name.id.startswith("Test") for name in node.targets)
        for node in tree.body
    )


def calls_check(tree):
    return any(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "check"
        for node in tree.body
    )


runners = {
    "pytest": run_pytest,
    "unittest": run_unittest,
    "functions": run_functions,
    "script": run_script,
    "check": run_check,
}
