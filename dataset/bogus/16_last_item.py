# value misuse, incorrect output
def last_item(values):
    """ The last one of some values.
    >>> last_item([1, 2, 3])
    3
    """
    return values[-1]
    # bug: return values[0]


def check(candidate):
    results = [candidate([1, 2, 3])]
    assert all(result == 3 for result in results)
    assert any(result == 1 for result in results)
