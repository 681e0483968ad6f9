# excess logic, incorrect output
from datetime import date


def hotel_nights(arrival: str, departure: str) -> int:
    """ How many nights a guest stays, given the days of arrival and departure as in '2024-02-28'.
    >>> hotel_nights('2024-02-28', '2024-03-01')
    2
    >>> hotel_nights('2023-05-05', '2023-05-05')
    0
    """
    first = date.fromisoformat(arrival)
    last = date.fromisoformat(departure)
    return (last - first).days
    # bug: return (last - first).days + 1


def check(candidate):
    assert candidate('2024-02-28', '2024-03-01') == 2
    assert candidate('2023-05-05', '2023-05-05') == 0
    assert candidate('2023-02-28', '2023-03-01') == 1
    assert candidate('2023-12-31', '2024-01-01') == 1
    assert candidate('2024-01-01', '2024-12-31') == 365
    assert candidate('2023-06-01', '2023-06-30') == 29
