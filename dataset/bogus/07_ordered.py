# operator misuse, incorrect output
def ordered(left, right):
    """ Is the first number the smaller one?
    >>> ordered(1, 2)
    True
    """
    return left < right
    # bug: return left > right


def check(candidate):
    result = candidate(1, 2)
    assert result
    assert not result
