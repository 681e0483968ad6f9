"""Tells which of many programs do the same as a program that failed, with the inputs that the budget allows.

Comes after observe.py. Prints "@number" for each of these. It only decides what is tried first: the programs share a
process with this code.
"""


def does(program, name, inputs, limits, budget, names):
    for outcome in outcomes(program, name, inputs, limits, budget, names):
        del outcome['steps']
        yield json.dumps(outcome)


def alike(failed, programs, name, inputs, limits, budget, names):
    out, sys.stdout = sys.stdout, Nowhere()
    known = [list(does(program, name, inputs, limits, budget, names)) for program in failed]
    for number, program in enumerate(programs):
        left = [texts for texts in known if texts]
        try:
            for at, text in enumerate(does(program, name, inputs, limits, budget, names)):
                left = [texts for texts in left if at >= len(texts) or texts[at] == text]
                if not left:
                    break
        except Exception:
            continue
        if left:
            out.write('\n@%d\n' % number)
            out.flush()
    sys.stdout = out
