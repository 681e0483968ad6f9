# value misuse, incorrect output
from typing import List


def trimmed_mean(scores: List[float]) -> float:
    """ The mean of the judges' scores without the lowest and the highest one. There are three or more.
    >>> trimmed_mean([5.0, 9.5, 8.5])
    8.5
    >>> trimmed_mean([1, 2, 4, 10])
    3.0
    """
    kept = sorted(scores)[1:-1]
    # bug: kept = sorted(scores)[0:-1]
    return sum(kept) / len(kept)


def check(candidate):
    assert candidate([5.0, 9.5, 8.5]) == 8.5
    assert candidate([1, 2, 4, 10]) == 3.0
    assert candidate([6, 6, 6]) == 6.0
    assert candidate([10, 0, 1, 2, 3]) == 2.0
    assert candidate([7, 7, 1, 9, 9, 8]) == 7.75
    assert abs(candidate([1, 2, 2, 3, 9]) - 7 / 3) < 1e-9
