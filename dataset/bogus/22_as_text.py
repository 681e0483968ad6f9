# excess logic, incorrect output
def as_text(number):
    """ A number as a text.
    >>> as_text(5)
    '5'
    """
    return str(number)
    # bug: return str(number) + ".0"


def check(candidate):
    result = f'{candidate(5)}'
    assert result == '5'
    assert result == 'five'
