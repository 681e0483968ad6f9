"""Runs many edited programs against the same assertions in one process, which is the candidate of an execution.

It only rules out programs that cannot be right; a program that passes all assertions is judged separately. It prints
"@first" when the first program, which is the buggy one, is through, and after each other program a line
"@number assertions_passed assertions_run first_failing end milliseconds overruns". `first_failing` is the index of the
first failed assertion or "none", `end` is "ended" or "stopped", the milliseconds are the processor time of all programs so
far, and `overruns` counts those that ran out of steps.

Work is counted in steps of loops and calls, not in seconds, so that the same programs survive on every system. A
single call of a builtin has no steps; a timer ends the process if it takes too long. If many programs run out of
steps or time, the rest get fewer.
"""

import ast
import signal
import sys
import warnings
from time import process_time

MIN_STEPS = 10_000
MAX_STEPS_OF_FIRST = 100_000
MAX_SECONDS = 1  # of processor time, for one program
MIN_SECONDS = 0.1
PATIENCE = 4  # programs that may run out of steps or time before the limit for the others is halved


class Run(Steps):
    """One program and its progress."""

    def __init__(self, max_steps):
        super().__init__(max_steps)
        self.assertions_run = 0
        self.assertions_passed = 0
        self.first_failing = None

    def check(self, holds):
        """Takes a function, since the check may raise."""
        self.assertions_run += 1
        before = self.assertions_passed
        try:
            self.assertions_passed += bool(holds())
        except Exception:
            pass
        if self.assertions_passed == before and self.first_failing is None:
            self.first_failing = self.assertions_run - 1


def checked(tree):
    """Continues after a failed assertion. Changes only the assertions of the suite itself."""
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    for parent in ast.walk(tree):
        for name in ('body', 'orelse', 'finalbody'):
            statements = getattr(parent, name, None)
            if not isinstance(statements, list):
                continue
            for index, node in enumerate(statements):
                if isinstance(node, ast.Assert):
                    holds = ast.Lambda(nothing, node.test, **position(node))
                    statements[index] = ast.Expr(call('__check__', node, holds), **position(node))
    return tree


def compiled(source, transform):
    return compile(transform(ast.parse(source)), '<candidate>', 'exec')


class Nowhere:
    def write(self, text):
        return len(text)

    def flush(self):
        pass


def through(program, suite, names, max_steps, max_seconds):
    """Runs one program; `ended` returns whether it reached the suite's end."""
    run = Run(max_steps)
    run.ended = False
    signal.setitimer(signal.ITIMER_VIRTUAL, max_seconds)
    space = dict(names, **GROWING, __name__='candidate', __step__=run.step, __grow__=run.grow, __check__=run.check)
    try:
        exec(compiled(program, counted), space)
        exec(suite, space)
        run.ended = True
    except BaseException:
        if run.first_failing is None:
            run.first_failing = max(run.assertions_run - 1, 0)
    return run


def prescreen(first, programs, tests, names, overruns, seconds, all_of_them):
    """The first program is the buggy one: its cost sets the number of steps for the others; None to leave it out.

    overruns: how many programs ran out of steps or time before; seconds: processor time for all of these;
    all_of_them: whether to continue after a program that survives.
    """
    started = process_time()
    out, sys.stdout = sys.stdout, Nowhere()
    warnings.simplefilter('ignore')
    suite = compiled(tests, checked)
    steps_of_first = 0
    if first is not None:
        begun = through(first, suite, names, MAX_STEPS_OF_FIRST, MAX_SECONDS)
        steps_of_first = begun.steps if begun.ended else 0
    out.write('\n@first')
    out.flush()
    for number, program in enumerate(programs):
        share = 0.5 ** (overruns // PATIENCE)
        max_steps = max(MIN_STEPS, round(20 * steps_of_first * share))
        left = seconds - (process_time() - started)
        if left <= 0:
            break
        run = through(program, suite, names, max_steps, min(max(MAX_SECONDS * share, MIN_SECONDS), max(left, 0.05)))
        overruns += run.overran
        first_failing = 'none' if run.first_failing is None else run.first_failing
        end = 'ended' if run.ended else 'stopped'
        spent = 1000 * (process_time() - started)
        counts = (number, run.assertions_passed, run.assertions_run, first_failing, end, spent, overruns)
        out.write('\n@%d %d %d %s %s %d %d' % counts)
        out.flush()
        if not all_of_them and run.ended and run.assertions_passed == run.assertions_run > 0:
            break
    sys.stdout = out
