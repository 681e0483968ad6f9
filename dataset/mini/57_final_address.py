# missing logic, infinite loop
from typing import Dict, Optional


def final_address(redirects: Dict[str, str], address: str) -> Optional[str]:
    """ Where one ends up who follows the redirects, from old to new addresses, for as long as there is one;
    None if they go round in a circle.
    >>> final_address({'/a': '/b', '/b': '/c'}, '/a')
    '/c'
    >>> final_address({'/a': '/b'}, '/home')
    '/home'
    """
    seen = set()
    while address in redirects:
        if address in seen:
            return None
        # bug drops 2 lines
        seen.add(address)
        address = redirects[address]
    return address


def check(candidate):
    assert candidate({'/a': '/b', '/b': '/c'}, '/a') == '/c'
    assert candidate({'/a': '/b'}, '/home') == '/home'
    assert candidate({}, '/a') == '/a'
    assert candidate({'/a': '/a'}, '/a') is None
    assert candidate({'/a': '/b', '/b': '/a'}, '/b') is None
    assert candidate({'/x': '/y', '/y': '/z', '/z': '/y'}, '/x') is None
    assert candidate({'/x': '/y', '/p': '/q', '/q': '/p'}, '/x') == '/y'
