# variable misuse, incorrect output
def priced(name, price):
    """ A product as a dictionary.
    >>> priced('pen', 3)
    {'name': 'pen', 'price': 3}
    """
    return {"name": name, "price": price}
    # bug: return {"name": name, "price": name}


def check(candidate):
    result = candidate('pen', 3)
    assert result['price'] == 3, 'the price'
    assert result['price'] == 4, 'another price'
