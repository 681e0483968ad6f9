# operator misuse, incorrect output
from typing import Tuple


def meetings_clash(first: Tuple[int, int], second: Tuple[int, int]) -> bool:
    """ Do two meetings, each given by its start and its end in minutes, share any time?
    A meeting that starts just when the other one ends does not clash with it.
    >>> meetings_clash((540, 600), (570, 630))
    True
    >>> meetings_clash((540, 600), (600, 660))
    False
    """
    return first[0] < second[1] and second[0] < first[1]
    # bug: return first[0] < second[1] or second[0] < first[1]


def check(candidate):
    assert candidate((540, 600), (570, 630)) is True
    assert candidate((570, 630), (540, 600)) is True
    assert candidate((540, 600), (600, 660)) is False
    assert candidate((600, 660), (540, 600)) is False
    assert candidate((480, 500), (700, 720)) is False
    assert candidate((480, 720), (540, 550)) is True
    assert candidate((540, 550), (480, 720)) is True
    assert candidate((60, 61), (60, 61)) is True
