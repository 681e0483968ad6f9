# variable misuse, incorrect output
def merged_settings(defaults: dict, overrides: dict) -> dict:
    """ The default settings with the overrides put over them; an override of None keeps the default.
    Neither of the two dictionaries is changed.
    >>> merged_settings({'color': 'red', 'size': 3}, {'size': 5})
    {'color': 'red', 'size': 5}
    >>> merged_settings({'color': 'red'}, {'color': None})
    {'color': 'red'}
    """
    merged = dict(defaults)
    for key, value in overrides.items():
        if value is not None:
            merged[key] = value
            # bug: merged[key] = key
    return merged


def check(candidate):
    assert candidate({'color': 'red', 'size': 3}, {'size': 5}) == {'color': 'red', 'size': 5}
    assert candidate({'color': 'red'}, {'color': None}) == {'color': 'red'}
    assert candidate({}, {}) == {}
    assert candidate({'a': 1}, {'b': 2}) == {'a': 1, 'b': 2}
    assert candidate({'a': 1}, {'a': 0, 'c': False}) == {'a': 0, 'c': False}
    assert candidate({'a': None}, {'b': None}) == {'a': None}
    defaults, overrides = {'a': 1}, {'a': 2}
    assert candidate(defaults, overrides) == {'a': 2}
    assert defaults == {'a': 1} and overrides == {'a': 2}
