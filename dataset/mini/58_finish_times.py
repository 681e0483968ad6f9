# variable misuse, incorrect output
from typing import List, Tuple


def finish_times(visits: List[Tuple[int, int]]) -> List[int]:
    """ When each customer is done at a counter that serves one at a time, in the order of the list. A visit
    is the minute of arrival and the minutes of service, and arrivals never go back in time.
    >>> finish_times([(0, 5), (1, 2), (10, 3)])
    [5, 7, 13]
    """
    done = []
    free_at = 0
    for arrival, service in visits:
        begin = max(arrival, free_at)
        free_at = begin + service
        # bug: free_at = arrival + service
        done.append(free_at)
    return done


def check(candidate):
    assert candidate([(0, 5), (1, 2), (10, 3)]) == [5, 7, 13]
    assert candidate([]) == []
    assert candidate([(4, 0)]) == [4]
    assert candidate([(0, 3), (0, 3), (0, 3)]) == [3, 6, 9]
    assert candidate([(2, 1), (3, 1)]) == [3, 4]
    assert candidate([(0, 10), (1, 1), (12, 1)]) == [10, 11, 13]
