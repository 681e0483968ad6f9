# value misuse, incorrect output
from datetime import date, timedelta


def monthly_meeting(year: int, month: int, weekday: int, which: int) -> str:
    """ The date, as in '2024-05-14', of a meeting on the first, second, third or fourth (which) of some
    weekday (0 for Monday up to 6 for Sunday) of a month.
    >>> monthly_meeting(2024, 5, 1, 2)
    '2024-05-14'
    """
    first = date(year, month, 1)
    days_to_weekday = (weekday - first.weekday()) % 7
    return (first + timedelta(days=days_to_weekday + 7 * (which - 1))).isoformat()
    # bug: return (first + timedelta(days=days_to_weekday + 7 * (which - 2))).isoformat()


def check(candidate):
    assert candidate(2024, 5, 1, 2) == '2024-05-14'
    assert candidate(2024, 5, 2, 1) == '2024-05-01'
    assert candidate(2024, 2, 3, 4) == '2024-02-22'
    assert candidate(2023, 1, 6, 1) == '2023-01-01'
    assert candidate(2023, 1, 5, 1) == '2023-01-07'
    assert candidate(2023, 10, 0, 3) == '2023-10-16'
