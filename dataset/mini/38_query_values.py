# missing logic, incorrect output
from typing import Dict, List


def query_values(query: str) -> Dict[str, List[str]]:
    """ Read the query of a web address, such as 'q=red+fox&page=2', as names with all of their values. A
    plus sign stands for a space, and a name without '=' has an empty value.
    >>> query_values('q=red+fox&page=2')
    {'q': ['red fox'], 'page': ['2']}
    >>> query_values('tag=a&tag=b')
    {'tag': ['a', 'b']}
    """
    values: Dict[str, List[str]] = {}
    for pair in query.split("&"):
        if pair:
            name, _, value = pair.partition("=")
            values.setdefault(name, []).append(value.replace("+", " "))
            # bug: values.setdefault(name, []).append(value)
    return values


def check(candidate):
    assert candidate('q=red+fox&page=2') == {'q': ['red fox'], 'page': ['2']}
    assert candidate('tag=a&tag=b') == {'tag': ['a', 'b']}
    assert candidate('') == {}
    assert candidate('debug') == {'debug': ['']}
    assert candidate('a=1&&b=2&') == {'a': ['1'], 'b': ['2']}
    assert candidate('x=1=2') == {'x': ['1=2']}
    assert candidate('n=a+b+c&m=+') == {'n': ['a b c'], 'm': [' ']}
