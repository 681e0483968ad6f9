# value misuse, incorrect output
def percent(part, whole):
    """ A part of a whole in percent.
    >>> percent(1, 4)
    25.0
    """
    return 100 * part / whole
    # bug: return 10 * part / whole


def check(candidate):
    assert candidate(1, 4) == float('nan')
