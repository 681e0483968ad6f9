# operator misuse, incorrect output
def either(left, right):
    """ Is at least one of the two true?
    >>> either(True, False)
    True
    """
    return left or right
    # bug: return left and right


def check(candidate):
    if candidate(True, False) == True:
        raise AssertionError('it should not be true')
    else:
        raise AssertionError('it should be true')
