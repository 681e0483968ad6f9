# missing logic, stackoverflow
from typing import List


def filled_region(grid: List[List[int]], row: int, column: int, color: int) -> List[List[int]]:
    """ A copy of the picture in which the field at row and column, and all fields of the same color that
    can be reached from it by steps up, down, left and right, have the new color.
    >>> filled_region([[1, 1, 0], [0, 1, 0]], 0, 0, 5)
    [[5, 5, 0], [0, 5, 0]]
    """
    picture = [list(line) for line in grid]
    old = picture[row][column]

    def fill(r, c):
        if not (0 <= r < len(picture) and 0 <= c < len(picture[0])):
            return
        if picture[r][c] != old or old == color:
        # bug: if picture[r][c] != old:
            return
        picture[r][c] = color
        fill(r - 1, c)
        fill(r + 1, c)
        fill(r, c - 1)
        fill(r, c + 1)

    fill(row, column)
    return picture


def check(candidate):
    assert candidate([[1, 1, 0], [0, 1, 0]], 0, 0, 5) == [[5, 5, 0], [0, 5, 0]]
    assert candidate([[3]], 0, 0, 4) == [[4]]
    assert candidate([[3, 3], [3, 3]], 1, 1, 3) == [[3, 3], [3, 3]]
    assert candidate([[1, 0], [0, 1]], 0, 0, 7) == [[7, 0], [0, 1]]
    assert candidate([[2, 2, 1], [2, 1, 1], [2, 2, 2]], 2, 2, 9) == [[9, 9, 1], [9, 1, 1], [9, 9, 9]]
    grid = [[0, 0]]
    assert candidate(grid, 0, 1, 1) == [[1, 1]]
    assert grid == [[0, 0]]
    assert candidate([[4, 0, 4], [0, 0, 0], [4, 0, 4]], 0, 0, 1) == [[1, 0, 4], [0, 0, 0], [4, 0, 4]]
    assert candidate([[8], [8], [8]], 2, 0, 6) == [[6], [6], [6]]
    assert candidate([[0, 5, 5, 5]], 0, 3, 2) == [[0, 2, 2, 2]]
