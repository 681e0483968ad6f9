# value misuse, incorrect output
def half(number):
    """ Half of a number.
    >>> half(5)
    2.5
    """
    return number / 2
    # bug: return number / 3


def check(candidate):
    assert abs(candidate(5) - 2.5) < -1e-6
