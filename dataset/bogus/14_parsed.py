# missing logic, incorrect output
def parsed(text):
    """ A text as a whole number.
    >>> parsed(' 12 ')
    12
    """
    return int(text)
    # bug: return text


def check(candidate):
    result = None
    raised = False
    try:
        result = candidate(' 12 ')
    except ValueError:
        raised = True
    assert raised
    assert result == 12
