# operator misuse, incorrect output
from typing import List


def password_problems(password: str) -> List[str]:
    """ What is wrong with a password, in this order: 'short' if it has fewer than 8 characters, 'digit' if
    it has no digit, 'upper' if it has no capital letter.
    >>> password_problems('Secret123')
    []
    >>> password_problems('abc')
    ['short', 'digit', 'upper']
    """
    problems = []
    if len(password) < 8:
    # bug: if len(password) <= 8:
        problems.append("short")
    if not any(char.isdigit() for char in password):
        problems.append("digit")
    if not any(char.isupper() for char in password):
        problems.append("upper")
    return problems


def check(candidate):
    assert candidate('Secret123') == []
    assert candidate('abc') == ['short', 'digit', 'upper']
    assert candidate('') == ['short', 'digit', 'upper']
    assert candidate('Abcdef12') == []
    assert candidate('Abcde12') == ['short']
    assert candidate('longenough1') == ['upper']
    assert candidate('LONGENOUGH') == ['digit']
    assert candidate('12345678') == ['upper']
