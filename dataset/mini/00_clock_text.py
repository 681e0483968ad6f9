# value misuse, incorrect output
def clock_text(seconds: int) -> str:
    """ Show a number of seconds as hours, minutes and seconds, the last two with two digits.
    >>> clock_text(75)
    '0:01:15'
    >>> clock_text(7322)
    '2:02:02'
    >>> clock_text(1500)
    '0:25:00'
    """
    hours = seconds // 3600
    minutes = seconds % 3600 // 60
    # bug: minutes = seconds % 360 // 60
    rest = seconds % 60
    return f"{hours}:{minutes:02d}:{rest:02d}"


def check(candidate):
    assert candidate(0) == '0:00:00'
    assert candidate(59) == '0:00:59'
    assert candidate(75) == '0:01:15'
    assert candidate(600) == '0:10:00'
    assert candidate(3599) == '0:59:59'
    assert candidate(3600) == '1:00:00'
    assert candidate(7322) == '2:02:02'
    assert candidate(360000) == '100:00:00'
