# missing logic, incorrect output
from typing import List


def smoothed(samples: List[float], reach: int) -> List[float]:
    """ Replace every sample by the mean of itself and of up to reach samples on either side.
    >>> smoothed([1, 2, 6], 1)
    [1.5, 3.0, 4.0]
    >>> smoothed([5, 1], 0)
    [5.0, 1.0]
    """
    result = []
    for index in range(len(samples)):
        window = samples[max(index - reach, 0):index + reach + 1]
        # bug: window = samples[max(index - reach, 0):index + reach]
        result.append(sum(window) / len(window))
    return result


def check(candidate):
    assert candidate([1, 2, 6], 1) == [1.5, 3.0, 4.0]
    assert candidate([5, 1], 0) == [5.0, 1.0]
    assert candidate([], 3) == []
    assert candidate([4], 2) == [4.0]
    assert candidate([3, 9], 5) == [6.0, 6.0]
    assert candidate([0, 0, 10, 0, 0], 2) == [10 / 3, 2.5, 2.0, 2.5, 10 / 3]
