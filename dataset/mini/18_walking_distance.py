# operator misuse, incorrect output
from typing import List, Tuple


def walking_distance(stops: List[Tuple[int, int]]) -> int:
    """ How many blocks one walks in a town with square blocks, from each street corner to the next one.
    >>> walking_distance([(0, 0), (3, 4)])
    7
    >>> walking_distance([(1, 1), (1, 5), (0, 5)])
    5
    """
    total = 0
    for here, there in zip(stops, stops[1:]):
        total += abs(here[0] - there[0]) + abs(here[1] - there[1])
        # bug: total += abs(here[0] + there[0]) + abs(here[1] - there[1])
    return total


def check(candidate):
    assert candidate([(0, 0), (3, 4)]) == 7
    assert candidate([(1, 1), (1, 5), (0, 5)]) == 5
    assert candidate([]) == 0
    assert candidate([(9, 9)]) == 0
    assert candidate([(2, 3), (2, 3)]) == 0
    assert candidate([(-2, -3), (2, 3)]) == 10
    assert candidate([(0, 0), (1, 0), (0, 0), (0, 1)]) == 3
