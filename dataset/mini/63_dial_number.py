# missing logic, incorrect output
def dial_number(text: str, country: str = "49") -> str:
    """ Write a phone number as '+', country code and number without spaces and signs. '00' at the start
    stands for '+', and a single '0' for the country code.
    >>> dial_number('0171 / 555-123')
    '+49171555123'
    >>> dial_number('0044 20 7946')
    '+44207946'
    """
    digits = "".join(char for char in text if char.isdigit())
    if text.strip().startswith("+"):
        return "+" + digits
    if digits.startswith("00"):
        return "+" + digits[2:]
    # bug drops 2 lines
    if digits.startswith("0"):
        return "+" + country + digits[1:]
    return "+" + country + digits


def check(candidate):
    assert candidate('0171 / 555-123') == '+49171555123'
    assert candidate('0044 20 7946') == '+44207946'
    assert candidate('+1 (202) 555') == '+1202555'
    assert candidate(' +33 1 23') == '+33123'
    assert candidate('555 12') == '+4955512'
    assert candidate('030-12', '43') == '+433012'
    assert candidate('0049 30') == '+4930'
