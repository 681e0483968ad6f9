"""Runs tests of a module with each recorder of lines that this Python has. Arguments: the folder of executed_code.py, and
a folder to write to. Prints the lines of each test by recorder, and what was called, as JSON.
"""

import json
import os
import sys
import threading

sys.path[:0] = sys.argv[1:]

import executed_code  # noqa: E402

MODULE = """def total(values):
    result = 0
    for value in values:
        result += value
    return result


def parity(number):
    if number % 2:
        return "odd"
    return "even"


def numbers():
    yield 1
    yield 2


class Box:
    size = len("ab")

    def fold(self, depth):
        if depth:
            return self.fold(depth - 1)
        return [each for each in (lambda: [depth])()]
"""


def tests(module):
    started = module.numbers()
    return [
        lambda: module.total([1, 2, 3]),
        lambda: [module.parity(2), module.parity(4)],
        lambda: module.parity(3),
        lambda: next(started),
        lambda: next(started),
        lambda: module.Box().fold(2),
        lambda: in_thread(lambda: module.total([])),
        lambda: None,
    ]


def in_thread(target):
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()


def recorded(recorder, name):
    with open(os.path.join(sys.argv[2], name + ".py"), "w", encoding="ascii") as file:
        file.write(MODULE)
    module = __import__(name)
    found = []
    for test in tests(module):
        lines = {}
        recorder.start(lines)
        test()
        recorder.stop()
        module.total([0])
        found.append({path: sorted(numbers) for path, numbers in lines.items() if path == name + ".py"})
    recorder.close()
    return [lines for each in found for lines in each.values() or [[]]]


def main():
    root = sys.argv[2] + os.sep
    result = {"traced": recorded(executed_code.TracedLines(root), "first")}
    # Twice, since what the first run leaves behind must not disturb the second.
    for name in ("second", "third"):
        if executed_code.free_tool() is not None:
            result[name] = recorded(executed_code.line_recorder(root), name)
    called = set()
    stop = executed_code.record_calls(called)
    tests(sys.modules["first"])[0]()
    stop()
    tests(sys.modules["first"])[1]()
    names = sorted(name for name, _ in called)
    print(json.dumps({"lines": result, "called": [name for name in names if name in ("total", "parity")]}))


main()
