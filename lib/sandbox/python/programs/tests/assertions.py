"""What counts as an assertion in a test program."""

import _ast

from nodes import name_of, walk


def asserts(node):
    return any(isinstance(part, _ast.Assert) and not always_holds(part.test) or is_assertion(part) for part in walk(node))


def may_fail(statement):
    """Whether completing the statement means that its check passed."""
    if isinstance(statement, _ast.If):
        return any(isinstance(part, _ast.Raise) for part in statement.body + statement.orelse)
    return bool(assertion_calls(statement))


def assertion_calls(statement):
    """The calls of assertions that a statement consists of, or that its `with` enters."""
    if isinstance(statement, (_ast.With, _ast.AsyncWith)):
        values = [item.context_expr for item in statement.items]
    else:
        value = statement.value if isinstance(statement, _ast.Expr) else None
        values = [value.value if isinstance(value, _ast.Await) else value]
    return [value for value in values if is_assertion(value)]


def is_assertion(node):
    """Whether a node calls `self.assertEqual`, `mock.assert_called_with`, `pytest.raises` or a similar function."""
    if not isinstance(node, _ast.Call):
        return False
    return name_of(node.func).startswith(('assert', 'raises', 'warns'))


def always_holds(test):
    return isinstance(test, _ast.Constant) and bool(test.value)
