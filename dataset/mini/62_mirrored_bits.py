# operator misuse, incorrect output
def mirrored_bits(value: int, width: int) -> int:
    """ The number whose lowest width bits are those of value in reversed order.
    >>> mirrored_bits(1, 4)
    8
    >>> mirrored_bits(6, 3)
    3
    """
    mirrored = 0
    for _ in range(width):
        mirrored = (mirrored << 1) | (value & 1)
        # bug: mirrored = (mirrored << 1) & (value & 1)
        value >>= 1
    return mirrored


def check(candidate):
    assert candidate(1, 4) == 8
    assert candidate(6, 3) == 3
    assert candidate(0, 8) == 0
    assert candidate(5, 3) == 5
    assert candidate(11, 4) == 13
    assert candidate(255, 8) == 255
    assert candidate(1, 1) == 1
    assert candidate(18, 4) == 4
