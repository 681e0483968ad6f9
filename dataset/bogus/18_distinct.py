# function misuse, incorrect output
def distinct(values):
    """ The different ones of some values, in order.
    >>> distinct([2, 1, 2])
    [1, 2]
    """
    return sorted(set(values))
    # bug: return sorted(values)


def check(candidate):
    result = candidate([2, 1, 2])
    assert set(result) == {1, 2} and set(result) == {1, 2, 3}
