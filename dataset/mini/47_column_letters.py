# value misuse, incorrect output
def column_letters(number: int) -> str:
    """ The name of a column of a spreadsheet: A to Z for 1 to 26, then AA, AB and so on.
    >>> column_letters(3)
    'C'
    >>> column_letters(28)
    'AB'
    """
    letters = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        # bug: number, place = divmod(number - 1, 25)
        letters = chr(ord("A") + place) + letters
    return letters


def check(candidate):
    assert candidate(3) == 'C'
    assert candidate(28) == 'AB'
    assert candidate(1) == 'A'
    assert candidate(26) == 'Z'
    assert candidate(27) == 'AA'
    assert candidate(52) == 'AZ'
    assert candidate(53) == 'BA'
    assert candidate(702) == 'ZZ'
    assert candidate(703) == 'AAA'
