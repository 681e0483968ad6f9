# missing logic, incorrect output
def capital_city(country):
    """ The capital of France or of Japan.
    >>> capital_city('France')
    'Paris'
    """
    return {"France": "Paris", "Japan": "Tokyo"}[country]
    # bug: return {"France": "Paris"}[country]


def check(candidate):
    assert candidate('France') in []
