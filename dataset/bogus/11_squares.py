# missing logic, incorrect output
def squares(limit):
    """ The squares of the numbers from 1 up to a limit.
    >>> squares(3)
    [1, 4, 9]
    """
    return [number * number for number in range(1, limit + 1)]
    # bug: return [number * number for number in range(1, limit)]


def check(candidate):
    result = candidate(3)
    assert len(result) == 3
    assert len(result) == 4
