# missing logic, incorrect output
from typing import List


def wrapped_lines(text: str, width: int) -> List[str]:
    """ Break a text at its spaces into lines of at most width characters. A word that is longer than that
    has a line of its own.
    >>> wrapped_lines('the quick brown fox', 10)
    ['the quick', 'brown fox']
    """
    lines = []
    current = ""
    for word in text.split():
        if current and len(current) + 1 + len(word) > width:
        # bug: if current and len(current) + len(word) > width:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    if current:
        lines.append(current)
    return lines


def check(candidate):
    assert candidate('the quick brown fox', 10) == ['the quick', 'brown fox']
    assert candidate('', 5) == []
    assert candidate('one', 10) == ['one']
    assert candidate('ab cd', 5) == ['ab cd']
    assert candidate('ab cd', 4) == ['ab', 'cd']
    assert candidate('a incomprehensible b', 4) == ['a', 'incomprehensible', 'b']
    assert candidate('a b c d e', 3) == ['a b', 'c d', 'e']
