# variable misuse, incorrect output
def remainder(number, divisor):
    """ What is left when a number is divided.
    >>> remainder(9, 4)
    1
    """
    return number % divisor
    # bug: return number % number


def check(candidate):
    def expect(result, *values):
        for value in values:
            assert result == value

    expect(candidate(9, 4), 1, 2)
