# variable misuse, incorrect output
def longest_winning_run(results: str) -> int:
    """ The length of the longest run of games won in a row. Results are 'W' (won), 'D' or 'L'.
    >>> longest_winning_run('WWLWWWD')
    3
    >>> longest_winning_run('DDL')
    0
    """
    longest = 0
    current = 0
    for result in results:
        if result == "W":
            current += 1
            longest = max(longest, current)
        else:
            current = 0
    return longest
    # bug: return current


def check(candidate):
    assert candidate('WWLWWWD') == 3
    assert candidate('DDL') == 0
    assert candidate('') == 0
    assert candidate('W') == 1
    assert candidate('WWWW') == 4
    assert candidate('WWLW') == 2
    assert candidate('LWDWWL') == 2
