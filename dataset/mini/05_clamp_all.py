# function misuse, incorrect output
from typing import List


def clamp_all(values: List[float], low: float, high: float) -> List[float]:
    """ Bring every value that lies outside of low and high to the nearer of the two.
    >>> clamp_all([-5, 3, 12], 0, 10)
    [0, 3, 10]
    """
    return [max(low, min(value, high)) for value in values]
    # bug: return [max(low, max(value, high)) for value in values]


def check(candidate):
    assert candidate([-5, 3, 12], 0, 10) == [0, 3, 10]
    assert candidate([], 0, 1) == []
    assert candidate([0, 10], 0, 10) == [0, 10]
    assert candidate([1.5, -1.5], -1.0, 1.0) == [1.0, -1.0]
    assert candidate([4, 5, 6], 5, 5) == [5, 5, 5]
    assert candidate([-20, -15, -10], -18, -12) == [-18, -15, -12]
