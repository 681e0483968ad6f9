# variable misuse, incorrect output
from typing import Dict, List


def word_index(pages: Dict[str, str]) -> Dict[str, List[str]]:
    """ For every word, in small letters, the titles of the pages that have it, in alphabetical order.
    >>> word_index({'b': 'Red fish', 'a': 'blue fish'})
    {'fish': ['a', 'b'], 'red': ['b'], 'blue': ['a']}
    """
    index: Dict[str, List[str]] = {}
    for title, text in pages.items():
        for word in sorted(set(text.lower().split())):
        # bug: for word in sorted(set(title.lower().split())):
            index.setdefault(word, []).append(title)
    return {word: sorted(titles) for word, titles in index.items()}


def check(candidate):
    assert candidate({'b': 'Red fish', 'a': 'blue fish'}) == {'red': ['b'], 'fish': ['a', 'b'], 'blue': ['a']}
    assert candidate({}) == {}
    assert candidate({'empty': ''}) == {}
    assert candidate({'x': 'One one ONE'}) == {'one': ['x']}
    assert candidate({'c': 'a', 'b': 'a', 'd': 'a'}) == {'a': ['b', 'c', 'd']}
    assert candidate({'t': 'up  down'}) == {'up': ['t'], 'down': ['t']}
