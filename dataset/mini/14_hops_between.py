# excess logic, incorrect output
from collections import deque
from typing import Dict, List


def hops_between(links: Dict[str, List[str]], start: str, goal: str) -> int:
    """ The least number of links to follow from one page to another; -1 if there is no way.
    >>> hops_between({'home': ['shop', 'blog'], 'shop': ['cart'], 'blog': []}, 'home', 'cart')
    2
    >>> hops_between({'home': ['shop']}, 'shop', 'home')
    -1
    """
    distances = {start: 0}
    waiting = deque([start])
    while waiting:
        page = waiting.popleft()
        if page == goal:
            return distances[page]
            # bug: return distances[page] + 1
        for target in links.get(page, []):
            if target not in distances:
                distances[target] = distances[page] + 1
                waiting.append(target)
    return -1


def check(candidate):
    assert candidate({'home': ['shop', 'blog'], 'shop': ['cart'], 'blog': []}, 'home', 'cart') == 2
    assert candidate({'home': ['shop']}, 'shop', 'home') == -1
    assert candidate({}, 'a', 'a') == 0
    assert candidate({'a': ['b'], 'b': ['a']}, 'a', 'b') == 1
    assert candidate({'a': ['b'], 'b': ['c'], 'c': ['a']}, 'a', 'z') == -1
    assert candidate({'a': ['b', 'd'], 'b': ['c'], 'c': ['e'], 'd': ['e'], 'e': []}, 'a', 'e') == 2
