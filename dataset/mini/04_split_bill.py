# excess logic, incorrect output
from typing import List


def split_bill(total_cents: int, people: int) -> List[int]:
    """ Share a bill so that nobody pays more than one cent above another; who comes first pays the odd cents.
    >>> split_bill(1000, 3)
    [334, 333, 333]
    >>> split_bill(500, 2)
    [250, 250]
    """
    share, rest = divmod(total_cents, people)
    shares = [share] * people
    for position in range(rest):
        shares[position] += 1
    return shares
    # bug: return shares + [rest]


def check(candidate):
    assert candidate(1000, 3) == [334, 333, 333]
    assert candidate(500, 2) == [250, 250]
    assert candidate(0, 4) == [0, 0, 0, 0]
    assert candidate(3, 5) == [1, 1, 1, 0, 0]
    assert candidate(999, 1) == [999]
    assert candidate(11, 4) == [3, 3, 3, 2]
