# excess logic, incorrect output
from typing import Dict, List, Optional


def ballot_winner(ballots: List[List[str]]) -> Optional[str]:
    """ Every ballot names candidates from the best to the third best: the first gets 3 points, the second 2
    and the third 1. Who has the most points wins; None if there are no ballots or two have the most.
    >>> ballot_winner([['ann', 'bob'], ['bob', 'ann'], ['ann']])
    'ann'
    >>> ballot_winner([['ann', 'zoe'], ['bob', 'zoe'], ['cid', 'zoe']])
    'zoe'
    """
    points: Dict[str, int] = {}
    for ballot in ballots:
        for place, name in enumerate(ballot[:3]):
        # bug: for place, name in enumerate(sorted(ballot)[:3]):
            points[name] = points.get(name, 0) + 3 - place
    best = max(points.values(), default=0)
    winners = [name for name, score in points.items() if score == best]
    return winners[0] if len(winners) == 1 else None


def check(candidate):
    assert candidate([['ann', 'bob'], ['bob', 'ann'], ['ann']]) == 'ann'
    assert candidate([['ann', 'bob'], ['bob', 'ann']]) is None
    assert candidate([]) is None
    assert candidate([['x']]) == 'x'
    assert candidate([['a', 'b', 'c', 'd'], ['d'], ['a']]) == 'a'
    assert candidate([['a', 'z'], ['b', 'z'], ['c', 'z']]) == 'z'
    assert candidate([['a', 'b', 'c'], ['c', 'b', 'a']]) is None
    assert candidate([['p', 'q', 'r', 'q', 'q'], ['q', 'p']]) is None
    assert candidate([['a', 'b', 'c']]) == 'a'
    assert candidate([['a', 'b', 'z'], ['c', 'd', 'z'], ['e', 'f', 'z']]) is None
    assert candidate([['a', 'b', 'c'], ['b', 'a'], ['x', 'y', 'a']]) == 'a'
