# missing logic, infinite loop
from typing import List


def first_at_least(levels: List[int], wanted: int) -> int:
    """ The index of the first level that is wanted or higher, in levels that never fall; their number if
    there is none. The levels are searched by halving.
    >>> first_at_least([1, 3, 3, 8], 3)
    1
    >>> first_at_least([1, 3], 9)
    2
    """
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        if levels[middle] < wanted:
            low = middle + 1
            # bug: low = middle
        else:
            high = middle
    return low


def check(candidate):
    assert candidate([1, 3, 3, 8], 3) == 1
    assert candidate([1, 3], 9) == 2
    assert candidate([], 5) == 0
    assert candidate([4], 4) == 0
    assert candidate([4], 5) == 1
    assert candidate([2, 2, 2, 2], 2) == 0
    assert candidate([1, 2, 3, 4, 5, 6, 7], 6) == 5
    assert candidate([-3, 0, 5], -10) == 0
