# value misuse, incorrect output
def light_at(second: int) -> str:
    """ What a traffic light shows so many seconds after it was switched on: green for 40 seconds, yellow
    for 5, red for 45, and then again from the start.
    >>> light_at(10)
    'green'
    >>> light_at(44)
    'yellow'
    >>> light_at(91)
    'green'
    """
    moment = second % 90
    if moment < 40:
        return "green"
    if moment < 45:
    # bug: if moment < 50:
        return "yellow"
    return "red"


def check(candidate):
    assert candidate(10) == 'green'
    assert candidate(44) == 'yellow'
    assert candidate(91) == 'green'
    assert candidate(0) == 'green'
    assert candidate(39) == 'green'
    assert candidate(40) == 'yellow'
    assert candidate(45) == 'red'
    assert candidate(89) == 'red'
    assert candidate(90) == 'green'
    assert candidate(900 + 42) == 'yellow'
