# operator misuse, incorrect output
from typing import List


def next_generation(cells: List[List[int]]) -> List[List[int]]:
    """ The next generation of Conway's game of life, 1 for a live and 0 for a dead cell; outside of the grid
    nothing lives. A live cell with two or three live neighbors lives on, and a dead one with just three
    comes to life.
    >>> next_generation([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
    [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
    """
    height, width = len(cells), len(cells[0])

    def neighbors(row, column):
        rows = range(max(row - 1, 0), min(row + 2, height))
        columns = range(max(column - 1, 0), min(column + 2, width))
        return sum(cells[r][c] for r in rows for c in columns) - cells[row][column]

    def lives(row, column):
        count = neighbors(row, column)
        return count == 3 or (cells[row][column] == 1 and count == 2)
        # bug: return count == 3 and (cells[row][column] == 1 or count == 2)

    return [[int(lives(row, column)) for column in range(width)] for row in range(height)]


def check(candidate):
    assert candidate([[0, 1, 0], [0, 1, 0], [0, 1, 0]]) == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert candidate([[1]]) == [[0]]
    assert candidate([[0, 0], [0, 0]]) == [[0, 0], [0, 0]]
    assert candidate([[1, 1], [1, 0]]) == [[1, 1], [1, 1]]
    assert candidate([[1, 1], [1, 1]]) == [[1, 1], [1, 1]]
    assert candidate([[1, 1, 1], [1, 1, 1], [1, 1, 1]]) == [[1, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert candidate([[1, 1, 1, 0]]) == [[0, 1, 0, 0]]
