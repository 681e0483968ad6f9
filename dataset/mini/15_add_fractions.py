# variable misuse, incorrect output
from math import gcd
from typing import Tuple


def add_fractions(left: Tuple[int, int], right: Tuple[int, int]) -> Tuple[int, int]:
    """ The sum of two fractions, each a numerator and a denominator above 0, in lowest terms.
    >>> add_fractions((1, 2), (1, 3))
    (5, 6)
    >>> add_fractions((1, 4), (1, 4))
    (1, 2)
    """
    numerator = left[0] * right[1] + right[0] * left[1]
    # bug: numerator = left[0] * right[1] + right[0] * right[1]
    denominator = left[1] * right[1]
    divisor = gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


def check(candidate):
    assert candidate((1, 2), (1, 3)) == (5, 6)
    assert candidate((1, 4), (1, 4)) == (1, 2)
    assert candidate((0, 5), (3, 7)) == (3, 7)
    assert candidate((1, 2), (-1, 2)) == (0, 1)
    assert candidate((5, 1), (1, 10)) == (51, 10)
    assert candidate((-2, 3), (1, 6)) == (-1, 2)
