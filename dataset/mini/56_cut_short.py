# value misuse, incorrect output
def cut_short(text: str, limit: int) -> str:
    """ Cut a text that is longer than limit characters, so that it has limit characters with the three dots
    that then end it. The limit is at least 3.
    >>> cut_short('a long story', 9)
    'a long...'
    >>> cut_short('brief', 9)
    'brief'
    """
    if len(text) <= limit:
        return text
    return text[:limit - 3] + "..."
    # bug: return text[:limit - 2] + "..."


def check(candidate):
    assert candidate('a long story', 9) == 'a long...'
    assert candidate('brief', 9) == 'brief'
    assert candidate('', 3) == ''
    assert candidate('abc', 3) == 'abc'
    assert candidate('abcd', 3) == '...'
    assert candidate('abcdefgh', 7) == 'abcd...'
    assert candidate('abcdefg', 7) == 'abcdefg'
