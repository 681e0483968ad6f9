# value misuse, incorrect output
from typing import List


def board_rows(height: int, width: int) -> List[str]:
    """ Draw a board of dark '#' and light '.' fields that take turns in both directions; the first is dark.
    >>> board_rows(2, 3)
    ['#.#', '.#.']
    """
    rows = []
    for row in range(height):
        fields = ["#" if (row + column) % 2 == 0 else "." for column in range(width)]
        # bug: fields = ["#" if (row + column) % 2 == 1 else "." for column in range(width)]
        rows.append("".join(fields))
    return rows


def check(candidate):
    assert candidate(2, 3) == ['#.#', '.#.']
    assert candidate(0, 5) == []
    assert candidate(1, 1) == ['#']
    assert candidate(2, 0) == ['', '']
    assert candidate(3, 2) == ['#.', '.#', '#.']
    assert candidate(4, 4) == ['#.#.', '.#.#', '#.#.', '.#.#']
