# excess logic, incorrect output
def luhn_valid(number: str) -> bool:
    """ Check a card number, which may have spaces, by the Luhn formula: counted from the right, every second
    digit is doubled and 9 taken off if that gives more than 9, and the sum of all must end in 0.
    >>> luhn_valid('4539 1488 0343 6467')
    True
    >>> luhn_valid('8273 1232 7352 0569')
    False
    """
    total = 0
    for position, char in enumerate(reversed(number.replace(" ", ""))):
        digit = int(char)
        if position % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
        # bug: total += digit * (position + 1)
    return total % 10 == 0


def check(candidate):
    assert candidate('4539 1488 0343 6467') == True
    assert candidate('8273 1232 7352 0569') == False
    assert candidate('0') == True
    assert candidate('1') == False
    assert candidate('18') == True
    assert candidate('81') == False
    assert candidate('59') == True
    assert candidate('4111111111111111') == True
    assert candidate('4111111111111112') == False
    assert candidate('79927398713') == True
