# operator misuse, incorrect output
from typing import List


def weighted_mean(values: List[float], weights: List[float]) -> float:
    """ The mean of the values, each counted as much as its weight says; 0.0 if all weights are 0.
    >>> weighted_mean([10, 20], [3, 1])
    12.5
    >>> weighted_mean([4], [0])
    0.0
    """
    total = sum(weights)
    if total == 0:
        return 0.0
    return sum(value * weight for value, weight in zip(values, weights)) / total
    # bug: return sum(value + weight for value, weight in zip(values, weights)) / total


def check(candidate):
    assert candidate([10, 20], [3, 1]) == 12.5
    assert candidate([4], [0]) == 0.0
    assert candidate([], []) == 0.0
    assert candidate([7], [2]) == 7.0
    assert candidate([1, 2, 3], [1, 1, 1]) == 2.0
    assert candidate([-4, 4], [0.25, 0.75]) == 2.0
    assert candidate([100, 1], [0, 5]) == 1.0
