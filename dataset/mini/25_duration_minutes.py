# excess logic, incorrect output
def duration_minutes(text: str) -> int:
    """ Read a duration such as '2h30m', '45m' or '1d' as a number of minutes. A day has 24 hours.
    >>> duration_minutes('2h30m')
    150
    >>> duration_minutes('1d')
    1440
    """
    factors = {"d": 24 * 60, "h": 60, "m": 1}
    total = 0
    digits = ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            total += int(digits) * factors[char]
            # bug: total += int(digits) * factors[char] + total
            digits = ""
    return total


def check(candidate):
    assert candidate('2h30m') == 150
    assert candidate('1d') == 1440
    assert candidate('') == 0
    assert candidate('45m') == 45
    assert candidate('10h') == 600
    assert candidate('1d1h1m') == 1501
    assert candidate('2d0h15m') == 2895
