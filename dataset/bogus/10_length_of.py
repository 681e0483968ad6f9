# function misuse, incorrect output
def length_of(values):
    """ How many values there are.
    >>> length_of([5, 6])
    2
    """
    return len(values)
    # bug: return max(values)


def check(candidate):
    result = candidate([5, 6])
    assert isinstance(result, int)
    assert isinstance(result, str)
