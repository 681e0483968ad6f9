"""Runs once inside a cell, to see whether it works here: closes it, computes, and says what holds."""

import sys

scope = {"__name__": "confine"}
with open(sys.argv[1]) as file:
    exec(compile(file.read(), sys.argv[1], "exec"), scope)
held = scope["confine"]()

import decimal  # noqa: E402  (a shared library and a module that were not read before)
import heapq  # noqa: E402

with open("probe", "w") as file:
    file.write(str(decimal.Decimal(heapq.nlargest(1, [1, 2])[0])))
print("held", *sorted(held))
