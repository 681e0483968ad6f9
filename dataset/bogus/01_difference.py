# operator misuse, incorrect output
def difference(left, right):
    """ What is left of the first number without the second one.
    >>> difference(7, 5)
    2
    """
    return left - right
    # bug: return left + right


def check(candidate):
    result = candidate(7, 5)
    assert result == 2 and result != 2
