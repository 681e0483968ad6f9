# value misuse, incorrect output
from typing import List


def bowling_score(rolls: List[int]) -> int:
    """ The score of a whole game of ten-pin bowling, given as the pins of every roll. A strike (10 at once)
    adds the next two rolls again, a spare (10 with two rolls) adds the next one again.
    >>> bowling_score([10] * 12)
    300
    >>> bowling_score([5, 5, 3] + [0] * 17)
    16
    """
    score = 0
    roll = 0
    for _ in range(10):
        if rolls[roll] == 10:
            score += 10 + rolls[roll + 1] + rolls[roll + 2]
            roll += 1
        elif rolls[roll] + rolls[roll + 1] == 10:
            score += 10 + rolls[roll + 2]
            # bug: score += 10 + rolls[roll + 1]
            roll += 2
        else:
            score += rolls[roll] + rolls[roll + 1]
            roll += 2
    return score


def check(candidate):
    assert candidate([10] * 12) == 300
    assert candidate([5, 5, 3] + [0] * 17) == 16
    assert candidate([0] * 20) == 0
    assert candidate([1] * 20) == 20
    assert candidate([10, 3, 4] + [0] * 16) == 24
    assert candidate([4, 6] * 10 + [7]) == 143
    assert candidate([9, 0] * 10) == 90
    assert candidate([0] * 18 + [10, 2, 8]) == 20
