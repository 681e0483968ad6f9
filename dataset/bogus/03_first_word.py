# function misuse, incorrect output
def first_word(text):
    """ The first word of a text.
    >>> first_word('red fox')
    'red'
    """
    return text.split()[0]
    # bug: return text.split(",")[0]


def check(candidate):
    result = candidate('red fox')
    assert result is None
    assert result is not None
