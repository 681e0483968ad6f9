# excess logic, incorrect output
from typing import List, Tuple


def line_between(points: List[Tuple[float, float]], x: float) -> float:
    """ The height at x of the line that goes straight from each of the points (x, y) to the next one. The
    points are ordered by x; before the first and after the last one the line is level.
    >>> line_between([(0, 0), (10, 100)], 2.5)
    25.0
    >>> line_between([(0, 1), (10, 5)], 99)
    5
    """
    if x <= points[0][0]:
        return points[0][1]
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        if x <= x2:
            share = (x - x1) / (x2 - x1)
            return y1 + share * (y2 - y1)
            # bug: return abs(y1 + share * (y2 - y1))
    return points[-1][1]


def check(candidate):
    assert candidate([(0, 0), (10, 100)], 2.5) == 25.0
    assert candidate([(0, 1), (10, 5)], 99) == 5
    assert candidate([(0, 1), (10, 5)], -3) == 1
    assert candidate([(3, 7)], 3) == 7
    assert candidate([(0, 0), (2, -8), (4, 0)], 1) == -4.0
    assert candidate([(0, 0), (2, -8), (4, 0)], 2) == -8.0
    assert candidate([(0, 0), (2, -8), (4, 0)], 3) == -4.0
    assert candidate([(-2, 10), (2, 20)], 0) == 15.0
