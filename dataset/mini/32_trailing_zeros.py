# value misuse, infinite loop
def trailing_zeros(n: int) -> int:
    """ With how many zeros does the product of all whole numbers from 1 to n end? Every zero takes a factor 5.
    >>> trailing_zeros(10)
    2
    >>> trailing_zeros(25)
    6
    """
    zeros = 0
    while n > 0:
        n //= 5
        # bug: n //= 1
        zeros += n
    return zeros


def check(candidate):
    assert candidate(10) == 2
    assert candidate(25) == 6
    assert candidate(0) == 0
    assert candidate(4) == 0
    assert candidate(5) == 1
    assert candidate(24) == 4
    assert candidate(100) == 24
    assert candidate(625) == 156
