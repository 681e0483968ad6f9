# variable misuse, incorrect output
from typing import Tuple


def caret_position(text: str, offset: int) -> Tuple[int, int]:
    """ The line and the column, both counted from 1, of the character at an offset of a text.
    >>> caret_position('one\\ntwo', 0)
    (1, 1)
    >>> caret_position('one\\ntwo', 5)
    (2, 2)
    """
    before = text[:offset]
    line = before.count("\n") + 1
    # bug: line = text.count("\n") + 1
    column = offset - (before.rfind("\n") + 1) + 1
    return line, column


def check(candidate):
    assert candidate('one\ntwo', 0) == (1, 1)
    assert candidate('one\ntwo', 5) == (2, 2)
    assert candidate('', 0) == (1, 1)
    assert candidate('abc', 2) == (1, 3)
    assert candidate('one\ntwo', 3) == (1, 4)
    assert candidate('one\ntwo', 4) == (2, 1)
    assert candidate('\n\nx\n\n', 2) == (3, 1)
