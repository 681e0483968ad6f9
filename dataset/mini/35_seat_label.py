# value misuse, incorrect output
def seat_label(number: int) -> str:
    """ The label of a seat in a plane with six seats A to F in each row. Seats and rows count from 1, and
    the first row has the seats 1 to 6.
    >>> seat_label(1)
    '1A'
    >>> seat_label(20)
    '4B'
    """
    row, place = divmod(number - 1, 6)
    return f"{row + 1}{'ABCDEF'[place]}"
    # bug: return f"{row + 2}{'ABCDEF'[place]}"


def check(candidate):
    assert candidate(1) == '1A'
    assert candidate(20) == '4B'
    assert candidate(6) == '1F'
    assert candidate(7) == '2A'
    assert candidate(12) == '2F'
    assert candidate(180) == '30F'
