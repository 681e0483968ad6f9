# value misuse, infinite loop
def doses_halved(amount: float, threshold: float) -> int:
    """ How often an amount must be halved until it is below a threshold, which is above 0.
    >>> doses_halved(100, 30)
    2
    >>> doses_halved(5, 10)
    0
    """
    times = 0
    while amount >= threshold:
        amount /= 2
        # bug: amount /= 1
        times += 1
    return times


def check(candidate):
    assert candidate(100, 30) == 2
    assert candidate(5, 10) == 0
    assert candidate(8, 8) == 1
    assert candidate(8, 1) == 4
    assert candidate(1, 0.2) == 3
    assert candidate(0, 0.5) == 0
    assert candidate(1000, 1) == 10
