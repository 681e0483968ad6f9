# function misuse, incorrect output
import re
from typing import List


def natural_key(name: str) -> list:
    """ Splits a name so that runs of digits compare as numbers. """
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def files_in_order(names: List[str]) -> List[str]:
    """ Sort file names as people do, so that numbers within them count as numbers.
    >>> files_in_order(['page10', 'page9', 'page1'])
    ['page1', 'page9', 'page10']
    """
    return sorted(names, key=natural_key)
    # bug: return sorted(names, key=str)


def check(candidate):
    assert candidate(['page10', 'page9', 'page1']) == ['page1', 'page9', 'page10']
    assert candidate([]) == []
    assert candidate(['b', 'a']) == ['a', 'b']
    assert candidate(['v1.10', 'v1.2', 'v1.1']) == ['v1.1', 'v1.2', 'v1.10']
    assert candidate(['x100y2', 'x20y10', 'x20y9']) == ['x20y9', 'x20y10', 'x100y2']
    assert candidate(['img2', 'img12', 'ant3']) == ['ant3', 'img2', 'img12']
