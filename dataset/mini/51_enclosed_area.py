# variable misuse, incorrect output
from typing import List, Tuple


def enclosed_area(corners: List[Tuple[float, float]]) -> float:
    """ The area of a polygon whose sides do not cross, given by its corners in order, either way round.
    >>> enclosed_area([(0, 0), (4, 0), (4, 3), (0, 3)])
    12.0
    >>> enclosed_area([(0, 0), (2, 0), (0, 2)])
    2.0
    """
    doubled = 0.0
    for index, (x1, y1) in enumerate(corners):
        x2, y2 = corners[(index + 1) % len(corners)]
        doubled += x1 * y2 - x2 * y1
        # bug: doubled += x1 * y2 - x1 * y1
    return abs(doubled) / 2


def check(candidate):
    assert candidate([(0, 0), (4, 0), (4, 3), (0, 3)]) == 12.0
    assert candidate([(0, 0), (2, 0), (0, 2)]) == 2.0
    assert candidate([(0, 2), (2, 0), (0, 0)]) == 2.0
    assert candidate([]) == 0.0
    assert candidate([(1, 1), (5, 5)]) == 0.0
    assert candidate([(-1, -1), (1, -1), (1, 1), (-1, 1)]) == 4.0
    assert candidate([(0, 0), (4, 0), (4, 4), (2, 1)]) == 6.0
