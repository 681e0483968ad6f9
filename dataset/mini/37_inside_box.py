# operator misuse, incorrect output
from typing import Tuple


def inside_box(point: Tuple[float, float], corner: Tuple[float, float], opposite: Tuple[float, float]) -> bool:
    """ Does a point lie within the box, or on its border, of which two opposite corners are given?
    >>> inside_box((1, 1), (0, 0), (2, 3))
    True
    >>> inside_box((5, 1), (2, 3), (0, 0))
    False
    """
    left, right = sorted((corner[0], opposite[0]))
    bottom, top = sorted((corner[1], opposite[1]))
    return left <= point[0] <= right and bottom <= point[1] <= top
    # bug: return left <= point[0] <= right and bottom < point[1] < top


def check(candidate):
    assert candidate((1, 1), (0, 0), (2, 3)) is True
    assert candidate((5, 1), (2, 3), (0, 0)) is False
    assert candidate((0, 0), (0, 0), (1, 1)) is True
    assert candidate((1, 1), (0, 0), (1, 1)) is True
    assert candidate((0.5, 1), (1, 0), (0, 1)) is True
    assert candidate((0, 0.5), (1, 0), (0, 1)) is True
    assert candidate((0.5, -0.1), (0, 0), (1, 1)) is False
    assert candidate((-0.1, 0.5), (0, 0), (1, 1)) is False
    assert candidate((0.5, 1.1), (0, 0), (1, 1)) is False
    assert candidate((1, 1), (1, 1), (1, 1)) is True
