# missing logic, incorrect output
def release_order(first: str, second: str) -> int:
    """ Compare two version numbers such as '1.10.2': -1 if the first is older, 1 if it is newer, 0 if both
    are the same. Parts that are missing count as 0.
    >>> release_order('1.9', '1.10')
    -1
    >>> release_order('2.0', '2')
    0
    """
    left = [int(part) for part in first.split(".")]
    right = [int(part) for part in second.split(".")]
    length = max(len(left), len(right))
    left += [0] * (length - len(left))
    right += [0] * (length - len(right))
    # bug drops 1 line
    return (left > right) - (left < right)


def check(candidate):
    assert candidate('1.9', '1.10') == -1
    assert candidate('2.0', '2') == 0
    assert candidate('2', '2.0.0') == 0
    assert candidate('1.2.3', '1.2.3') == 0
    assert candidate('1.2.4', '1.2.3') == 1
    assert candidate('1', '0.9.9') == 1
    assert candidate('3.0.1', '3') == 1
    assert candidate('3', '3.0.1') == -1
    assert candidate('0.0.9', '0.1') == -1
