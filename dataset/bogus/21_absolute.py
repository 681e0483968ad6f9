# operator misuse, incorrect output
def absolute(number):
    """ A number without its sign.
    >>> absolute(-3)
    3
    """
    return -number if number < 0 else number
    # bug: return -number if number > 0 else number


def check(candidate):
    result = candidate(-3)
    assert not (result == 3 or result != 3)
