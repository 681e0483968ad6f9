# value misuse, incorrect output
def weekday_name(year: int, month: int, day: int) -> str:
    """ The weekday of a date of the Gregorian calendar, by Sakamoto's method.
    >>> weekday_name(2024, 2, 29)
    'Thursday'
    >>> weekday_name(2000, 1, 1)
    'Saturday'
    """
    names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    if month < 3:
    # bug: if month < 2:
        year -= 1
    number = year + year // 4 - year // 100 + year // 400 + offsets[month - 1] + day
    return names[number % 7]


def check(candidate):
    assert candidate(2024, 2, 29) == 'Thursday'
    assert candidate(2000, 1, 1) == 'Saturday'
    assert candidate(1969, 7, 20) == 'Sunday'
    assert candidate(1900, 3, 1) == 'Thursday'
    assert candidate(2023, 2, 28) == 'Tuesday'
    assert candidate(2023, 12, 31) == 'Sunday'
    assert [candidate(2021, month, 15) for month in (1, 2, 3, 5)] == ['Friday', 'Monday', 'Monday', 'Saturday']
    assert [candidate(2021, month, 15) for month in (6, 7, 8, 9)] == ['Tuesday', 'Thursday', 'Sunday', 'Wednesday']
    assert [candidate(2021, month, 15) for month in (4, 10, 11)] == ['Thursday', 'Friday', 'Monday']
    assert candidate(2000, 3, 1) == 'Wednesday'
