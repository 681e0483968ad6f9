# operator misuse, incorrect output
def reverse_polish(expression: str) -> int:
    """ Work out an expression of whole numbers, '+', '-' and '*' in which each operator follows its operands.
    >>> reverse_polish('3 4 +')
    7
    >>> reverse_polish('5 1 2 + 4 * + 3 -')
    14
    """
    stack = []
    for token in expression.split():
        if token in ("+", "-", "*"):
            right = stack.pop()
            left = stack.pop()
            if token == "+":
                stack.append(left + right)
            elif token == "-":
                stack.append(left - right)
            else:
                stack.append(left * right)
                # bug: stack.append(left ** right)
        else:
            stack.append(int(token))
    return stack.pop()


def check(candidate):
    assert candidate('3 4 +') == 7
    assert candidate('5 1 2 + 4 * + 3 -') == 14
    assert candidate('42') == 42
    assert candidate('2 7 -') == -5
    assert candidate('3 5 *') == 15
    assert candidate('-3 -4 *') == 12
    assert candidate('1 2 3 4 5 + - * +') == -11
