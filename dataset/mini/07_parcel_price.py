# value misuse, incorrect output
def parcel_price(grams: int, express: bool = False) -> int:
    """ The price of a parcel in cents: 399 up to 500 grams, 599 up to 2000 grams, and above that 599 and
    50 more for each further 500 grams or part of them. Express costs 700 more.
    >>> parcel_price(450)
    399
    >>> parcel_price(1200)
    599
    >>> parcel_price(2600)
    699
    >>> parcel_price(450, express=True)
    1099
    """
    if grams <= 500:
        price = 399
    elif grams <= 2000:
    # bug: elif grams <= 1000:
        price = 599
    else:
        steps = (grams - 2000 + 499) // 500
        price = 599 + 50 * steps
    return price + 700 if express else price


def check(candidate):
    assert candidate(450) == 399
    assert candidate(1) == 399
    assert candidate(500) == 399
    assert candidate(501) == 599
    assert candidate(1500) == 599
    assert candidate(2000) == 599
    assert candidate(2001) == 649
    assert candidate(2500) == 649
    assert candidate(2600) == 699
    assert candidate(450, express=True) == 1099
    assert candidate(2001, True) == 1349
