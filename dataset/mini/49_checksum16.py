# value misuse, incorrect output
def checksum16(data: str) -> int:
    """ Fletcher's 16-bit checksum of a text of ASCII characters: the sum of the codes and the sum of all of
    the sums so far, both modulo 255, the second one times 256 plus the first one.
    >>> checksum16('abcde')
    51440
    """
    first = 0
    second = 0
    for code in data.encode("ascii"):
        first = (first + code) % 255
        second = (second + first) % 255
        # bug: second = (second + first) % 256
    return second * 256 + first


def check(candidate):
    assert candidate('abcde') == 51440
    assert candidate('abcdef') == 8279
    assert candidate('abcdefgh') == 1575
    assert candidate('') == 0
    assert candidate('A') == 16705
    assert candidate('zz') == 28660
