"""Calls a function with many inputs, in one process, which is the candidate of an execution.

For each input it prints a line "@number outcome", see outcome.ts. A timer ends the process if a single operation takes
too long.
"""

import __future__
import json
import signal
import sys
import warnings

MAX_SECONDS = 1  # of processor time, for one call
FUTURE = __future__.annotations.compiler_flag


class Nowhere:
    def write(self, text):
        return len(text)

    def flush(self):
        pass


def load(tree, space):
    """Statements outside the function may fail, as they may when it is judged."""
    code = compile(tree, '<candidate>', 'exec', dont_inherit=True)
    try:
        exec(code, space)
    except (Exception, SystemExit):
        for statement in tree.body:
            try:
                module = ast.Module([statement], [])
                exec(compile(module, '<candidate>', 'exec', code.co_flags & FUTURE, True), space)
            except (Exception, SystemExit):
                pass


def outcomes(program, name, inputs, limits, budget, names={}, seconds=MAX_SECONDS):
    """Yields what each call does. The n-th call may take `limits[n]` steps, all together about `budget`. The program may
    use `names`.
    """
    warnings.simplefilter('ignore')
    count = Steps(100_000)
    space = dict(names, **GROWING, __name__='candidate', __step__=count.step, __grow__=count.grow)
    load(counted(ast.parse(program)), space)
    function = space[name]
    for number, given in enumerate(inputs):
        arguments = [real(value) for value in given]
        before = [plain(value) for value in arguments]
        count.__init__(limits[number])
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        outcome = {}
        try:
            outcome['value'] = limited(plain(function(*arguments)))
        except TooLong:
            count.overran = True
        except BaseException as error:
            outcome['raised'] = type(error).__name__
        if count.overran:
            outcome = {'raised': 'did not end'}
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        after = [plain(value) for value in arguments]
        if after != before:
            outcome['changed'] = [limited(value) for value in after]
        outcome['steps'] = count.steps
        yield outcome
        budget -= count.steps
        if budget < 0:
            break


def observe(program, name, inputs, limits, first, budget, names={}, seconds=MAX_SECONDS):
    """Prints what each call does; numbers begin with `first`."""
    out, sys.stdout = sys.stdout, Nowhere()
    for number, outcome in enumerate(outcomes(program, name, inputs, limits, budget, names, seconds), first):
        out.write('\n@%d %s\n' % (number, json.dumps(outcome, separators=(',', ':'))))
        out.flush()
    sys.stdout = out
