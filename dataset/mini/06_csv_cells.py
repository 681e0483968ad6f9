# missing logic, incorrect output
from typing import List


def csv_cells(line: str) -> List[str]:
    """ The cells of one line of comma-separated values. A cell may stand in double quotes, which are not
    part of it, and may then hold commas.
    >>> csv_cells('apple,3,red')
    ['apple', '3', 'red']
    >>> csv_cells('"Smith, J.",42')
    ['Smith, J.', '42']
    """
    cells = []
    current = ""
    quoted = False
    for char in line:
        if char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
        # bug: elif char == ",":
            cells.append(current)
            current = ""
        else:
            current += char
    cells.append(current)
    return cells


def check(candidate):
    assert candidate('apple,3,red') == ['apple', '3', 'red']
    assert candidate('"Smith, J.",42') == ['Smith, J.', '42']
    assert candidate('') == ['']
    assert candidate(',') == ['', '']
    assert candidate('a,,b') == ['a', '', 'b']
    assert candidate('"a,b","c,d",e') == ['a,b', 'c,d', 'e']
    assert candidate('x,"",y') == ['x', '', 'y']
