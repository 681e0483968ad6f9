# excess logic, incorrect output
from typing import List, Tuple


def joined_spans(spans: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    """ Join all spans (start, end) that overlap or touch, and give the joined ones in order.
    >>> joined_spans([(5, 8), (1, 3), (2, 4)])
    [(1, 4), (5, 8)]
    >>> joined_spans([(1, 2), (2, 3)])
    [(1, 3)]
    """
    joined = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
        # bug: if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def check(candidate):
    assert candidate([(5, 8), (1, 3), (2, 4)]) == [(1, 4), (5, 8)]
    assert candidate([(1, 2), (2, 3)]) == [(1, 3)]
    assert candidate([]) == []
    assert candidate([(1, 2), (3, 4)]) == [(1, 2), (3, 4)]
    assert candidate([(1, 10), (2, 3), (4, 5)]) == [(1, 10)]
    assert candidate([(4, 6), (4, 5), (0, 0)]) == [(0, 0), (4, 6)]
    assert candidate([(0, 1), (5, 9), (6, 7)]) == [(0, 1), (5, 9)]
