# value misuse, incorrect output
def third(number):
    """ A third of a number.
    >>> third(6)
    2.0
    """
    return number / 3
    # bug: return number / 2


def check(candidate):
    import math

    result = candidate(6)
    assert math.isclose(result, 2.0)
    assert math.isclose(result, 3.0)
