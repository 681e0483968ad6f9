# missing logic, incorrect output
def dotted_keys(nested: dict) -> dict:
    """ Bring a dictionary of dictionaries to one level, with the keys on the way joined by dots. Empty
    dictionaries within it are dropped.
    >>> dotted_keys({'a': 1, 'b': {'c': 2, 'd': {'e': 3}}})
    {'a': 1, 'b.c': 2, 'b.d.e': 3}
    """
    flat = {}
    for key, value in nested.items():
        if isinstance(value, dict):
            for inner, leaf in dotted_keys(value).items():
            # bug: for inner, leaf in value.items():
                flat[f"{key}.{inner}"] = leaf
        else:
            flat[key] = value
    return flat


def check(candidate):
    assert candidate({'a': 1, 'b': {'c': 2, 'd': {'e': 3}}}) == {'a': 1, 'b.c': 2, 'b.d.e': 3}
    assert candidate({}) == {}
    assert candidate({'x': [1, 2]}) == {'x': [1, 2]}
    assert candidate({'x': {}}) == {}
    assert candidate({'x': {'y': 0}, 'z': None}) == {'x.y': 0, 'z': None}
    assert candidate({'a': {'b': {'c': {'d': 'deep'}}}}) == {'a.b.c.d': 'deep'}
    assert candidate({'a': {'b': {}}, 'c': {'d': {'e': 1, 'f': 2}}}) == {'c.d.e': 1, 'c.d.f': 2}
