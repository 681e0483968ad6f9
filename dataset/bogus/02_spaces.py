# value misuse, incorrect output
def spaces(width):
    """ A text of so many spaces.
    >>> spaces(2)
    '  '
    """
    return " " * width
    # bug: return "-" * width


def check(candidate):
    assert '  ' == candidate(2) == ' '
