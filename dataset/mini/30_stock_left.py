# excess logic, incorrect output
from typing import Dict, List, Tuple


def stock_left(stock: Dict[str, int], orders: List[Tuple[str, int]]) -> Dict[str, int]:
    """ What is left in stock after the orders (product, amount), taken one by one. An order of more than
    there is, or of an unknown product, is left out. Products of which nothing is left stay, with 0.
    >>> stock_left({'pen': 5, 'cup': 1}, [('pen', 3), ('cup', 2), ('pen', 2)])
    {'pen': 0, 'cup': 1}
    """
    left = dict(stock)
    for product, amount in orders:
        if product in left and left[product] >= amount:
            left[product] -= amount
            # bug adds: if left[product] == 0:
            # bug adds:     del left[product]
    return left


def check(candidate):
    assert candidate({'pen': 5, 'cup': 1}, [('pen', 3), ('cup', 2), ('pen', 2)]) == {'pen': 0, 'cup': 1}
    assert candidate({}, [('pen', 1)]) == {}
    assert candidate({'a': 1}, []) == {'a': 1}
    assert candidate({'a': 4}, [('a', 5), ('a', 4), ('a', 1)]) == {'a': 0}
    assert candidate({'a': 2, 'b': 2}, [('b', 1), ('a', 2), ('c', 1)]) == {'a': 0, 'b': 1}
    stock = {'x': 3}
    assert candidate(stock, [('x', 1)]) == {'x': 2}
    assert stock == {'x': 3}
