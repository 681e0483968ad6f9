# excess logic, incorrect output
def lowered(text):
    """ A text in small letters.
    >>> lowered('AbC')
    'abc'
    """
    return text.lower()
    # bug: return text.lower().strip("a")


def check(candidate):
    cases = [('AbC', 'abc'), ('XY', 'xy'), ('q', 'q')]
    for given, expected in cases:
        result = candidate(given)
        assert result == expected
        assert result == expected + '!'
