# variable misuse, incorrect output
from typing import List, Tuple


def table_totals(table: List[List[int]]) -> Tuple[List[int], List[int]]:
    """ The sums of a table's rows, and the sums of its columns. All rows have the same length.
    >>> table_totals([[1, 2, 3], [4, 5, 6]])
    ([6, 15], [5, 7, 9])
    """
    row_totals = [sum(row) for row in table]
    column_totals = [0] * len(table[0]) if table else []
    for row in table:
        for column, value in enumerate(row):
            column_totals[column] += value
            # bug: column_totals[column] += column
    return row_totals, column_totals


def check(candidate):
    assert candidate([[1, 2, 3], [4, 5, 6]]) == ([6, 15], [5, 7, 9])
    assert candidate([]) == ([], [])
    assert candidate([[7]]) == ([7], [7])
    assert candidate([[1], [2], [3]]) == ([1, 2, 3], [6])
    assert candidate([[0, -1], [0, 1]]) == ([-1, 1], [0, 0])
    assert candidate([[10, 20, 30, 40]]) == ([100], [10, 20, 30, 40])
