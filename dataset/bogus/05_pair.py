# variable misuse, incorrect output
def pair(first, second):
    """ A list of both values.
    >>> pair(1, 2)
    [1, 2]
    """
    return [first, second]
    # bug: return [first, first]


def check(candidate):
    result = candidate(1, 2)
    assert 1 in result
    assert 1 not in result
