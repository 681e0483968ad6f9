# operator misuse, incorrect output
from typing import List

def permission_granted(mask: int, needed: List[int]) -> bool:
    """ Does a bit mask of permissions (1 read, 2 write, 4 share) have all of those that are needed?
    >>> permission_granted(3, [1, 2])
    True
    >>> permission_granted(5, [1, 2])
    False
    """
    wanted = 0
    for bit in needed:
        wanted |= bit
    return mask & wanted == wanted
    # bug: return mask | wanted == wanted


def check(candidate):
    assert candidate(3, [1, 2]) == True
    assert candidate(5, [1, 2]) == False
    assert candidate(0, []) == True
    assert candidate(7, []) == True
    assert candidate(0, [4]) == False
    assert candidate(7, [4, 1]) == True
    assert candidate(2, [2, 2]) == True
    assert candidate(6, [1]) == False
