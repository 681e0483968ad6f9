# missing logic, incorrect output
def month_length(year: int, month: int) -> int:
    """ How many days a month of the Gregorian calendar has.
    >>> month_length(2023, 2)
    28
    >>> month_length(2024, 2)
    29
    >>> month_length(1900, 2)
    28
    """
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        # bug: leap = year % 4 == 0
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


def check(candidate):
    assert candidate(2023, 2) == 28
    assert candidate(2024, 2) == 29
    assert candidate(1900, 2) == 28
    assert candidate(2000, 2) == 29
    assert [candidate(2023, month) for month in range(1, 13)] == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    assert candidate(2100, 2) == 28
    assert candidate(2400, 2) == 29
