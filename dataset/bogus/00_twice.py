# value misuse, incorrect output
def twice(number):
    """ Twice a number.
    >>> twice(4)
    8
    """
    return number * 2
    # bug: return number * 3


def check(candidate):
    result = candidate(4)
    assert result == 8
    assert result == 9
