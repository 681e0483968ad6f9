# function misuse, incorrect output
from typing import List


def path_blocked(path: str, rules: List[str]) -> bool:
    """ May a crawler not fetch a path, because one of the rules is what the path begins with? Empty rules
    block nothing.
    >>> path_blocked('/private/notes.html', ['/tmp', '/private/'])
    True
    >>> path_blocked('/public/private/', ['/private/'])
    False
    """
    return any(path.startswith(rule) for rule in rules if rule)
    # bug: return any(path.endswith(rule) for rule in rules if rule)


def check(candidate):
    assert candidate('/private/notes.html', ['/tmp', '/private/']) == True
    assert candidate('/public/private/', ['/private/']) == False
    assert candidate('/a', []) == False
    assert candidate('/a', ['']) == False
    assert candidate('/a', ['', '/a']) == True
    assert candidate('/ab', ['/abc']) == False
    assert candidate('/x/y', ['/y', '/x']) == True
