# excess logic, incorrect output
from typing import List


def dedented_lines(lines: List[str]) -> List[str]:
    """ Take off from all lines the spaces that all of them begin with. Lines of spaces alone do not count
    and become empty.
    >>> dedented_lines(['    if x:', '        y', '', '    z'])
    ['if x:', '    y', '', 'z']
    """
    margins = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")]
    margin = min(margins, default=0)
    dedented = []
    for line in lines:
        if line.strip(" "):
            dedented.append(line[margin:])
            # bug: dedented.append(line[margin:].strip(" "))
        else:
            dedented.append("")
    return dedented


def check(candidate):
    assert candidate(['    if x:', '        y', '', '    z']) == ['if x:', '    y', '', 'z']
    assert candidate([]) == []
    assert candidate(['a', '  b']) == ['a', '  b']
    assert candidate(['  ', ' ']) == ['', '']
    assert candidate(['  a  ', '   b']) == ['a  ', ' b']
    assert candidate(['   ', '    x', ' ', '  y']) == ['', '  x', '', 'y']
