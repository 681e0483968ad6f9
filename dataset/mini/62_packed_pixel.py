# operator misuse, incorrect output
from typing import Tuple


def packed_pixel(color: Tuple[int, int, int]) -> int:
    """ Red, green and blue, each from 0 to 255, as one number with red in the highest of three bytes.
    >>> packed_pixel((1, 0, 0))
    65536
    >>> packed_pixel((0, 1, 2))
    258
    """
    packed = 0
    for part in color:
        packed = (packed << 8) | part
        # bug: packed = (packed << 8) & part
    return packed


def check(candidate):
    assert candidate((1, 0, 0)) == 65536
    assert candidate((0, 1, 2)) == 258
    assert candidate((0, 0, 0)) == 0
    assert candidate((255, 255, 255)) == 16777215
    assert candidate((18, 52, 86)) == 0x123456
    assert candidate((0, 0, 200)) == 200
