# excess logic, incorrect output
from typing import List


def quarter_turn(image: List[List[int]]) -> List[List[int]]:
    """ Turn an image, given as rows of pixels, by 90 degrees clockwise.
    >>> quarter_turn([[1, 2], [3, 4]])
    [[3, 1], [4, 2]]
    >>> quarter_turn([[1, 2, 3]])
    [[1], [2], [3]]
    """
    turned = []
    for column in range(len(image[0]) if image else 0):
        line = [row[column] for row in reversed(image)]
        turned.append(line)
        # bug: turned.append(sorted(line))
    return turned


def check(candidate):
    assert candidate([[1, 2], [3, 4]]) == [[3, 1], [4, 2]]
    assert candidate([[1, 2, 3]]) == [[1], [2], [3]]
    assert candidate([]) == []
    assert candidate([[5]]) == [[5]]
    assert candidate([[1], [2], [3]]) == [[3, 2, 1]]
    assert candidate([[9, 8], [7, 6], [5, 4]]) == [[5, 7, 9], [4, 6, 8]]
