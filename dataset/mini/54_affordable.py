# operator misuse, incorrect output
from typing import List, NamedTuple


class Item(NamedTuple):
    name: str
    price: int


def affordable(offers: List[tuple], budget: int) -> List[str]:
    """ The names of what one buys of the offers (name, price) who takes them in order and leaves out what the
    rest of the budget is too small for.
    >>> affordable([('lamp', 30), ('desk', 90), ('chair', 20)], 50)
    ['lamp', 'chair']
    >>> affordable([('pen', 5), ('cup', 5), ('bag', 5)], 10)
    ['pen', 'cup']
    """
    bought = []
    for item in (Item(*offer) for offer in offers):
        if item.price <= budget:
            bought.append(item.name)
            budget -= item.price
            # bug: budget += item.price
    return bought


def check(candidate):
    assert candidate([('lamp', 30), ('desk', 90), ('chair', 20)], 50) == ['lamp', 'chair']
    assert candidate([], 10) == []
    assert candidate([('a', 5)], 4) == []
    assert candidate([('a', 5)], 5) == ['a']
    assert candidate([('a', 5), ('b', 5), ('c', 5)], 10) == ['a', 'b']
    assert candidate([('a', 7), ('b', 8), ('c', 0), ('d', 3)], 10) == ['a', 'c', 'd']
