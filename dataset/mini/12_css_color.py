# value misuse, incorrect output
from typing import Tuple


def css_color(text: str) -> Tuple[int, int, int]:
    """ Read a color in hexadecimal as red, green and blue. The short form has one digit for each, which
    stands for two.
    >>> css_color('#ff8000')
    (255, 128, 0)
    >>> css_color('#0af')
    (0, 170, 255)
    """
    digits = text.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
        # bug: digits = "".join(digit * 3 for digit in digits)
    red, green, blue = (int(digits[start:start + 2], 16) for start in (0, 2, 4))
    return red, green, blue


def check(candidate):
    assert candidate('#ff8000') == (255, 128, 0)
    assert candidate('#0af') == (0, 170, 255)
    assert candidate('#000') == (0, 0, 0)
    assert candidate('#fff') == (255, 255, 255)
    assert candidate('#012345') == (1, 35, 69)
    assert candidate('ABCDEF') == (171, 205, 239)
    assert candidate('#123') == (17, 34, 51)
