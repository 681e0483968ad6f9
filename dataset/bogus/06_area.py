# excess logic, incorrect output
def area(width, height):
    """ The area of a rectangle.
    >>> area(3, 4)
    12
    """
    return width * height
    # bug: return width * height + width


def check(candidate):
    result = candidate(3, 4)
    assert result < 12
    assert result > 12
