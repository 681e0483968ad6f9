# missing logic, incorrect output
def type_name(value):
    """ The name of the type of a value.
    >>> type_name(1)
    'int'
    """
    return type(value).__name__
    # bug: return type(value)


def check(candidate):
    result = candidate(1)
    assert type(result) is str
    assert type(result) is bytes
