"""Helpers for syntax trees, because importing the ast module would double a judge's start-up time."""

import _ast


def segment(lines, node):
    """A node's source on one line."""
    start, end = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    if start == end:
        return lines[start].encode()[node.col_offset : node.end_col_offset].decode(errors='replace')
    first = lines[start].encode()[node.col_offset :].decode(errors='replace')
    last = lines[end].encode()[: node.end_col_offset].decode(errors='replace')
    return ' '.join(part.strip() for part in [first, *lines[start + 1 : end], last])


def walk(node):
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def children(node):
    found = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, _ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [part for part in value if isinstance(part, _ast.AST)]
    return found


FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef)


def name_of(node):
    """The name that a name or an attribute ends with: `c` of `a.b.c`; empty for other nodes."""
    return getattr(node, 'id', None) or getattr(node, 'attr', '')


class Maker:
    """Creates nodes at the position of an existing one."""

    def __init__(self, node):
        line, column = node.lineno, node.col_offset
        self.place = {'lineno': line, 'col_offset': column, 'end_lineno': line, 'end_col_offset': column}

    def __call__(self, node_type, /, **fields):
        return node_type(**fields, **self.place)

    def name(self, name, context=None):
        return self(_ast.Name, id=name, ctx=context or _ast.Load())

    def constant(self, value):
        return self(_ast.Constant, value=value, kind=None)

    def call(self, name, method, *args):
        function = self(_ast.Attribute, value=self.name(name), attr=method, ctx=_ast.Load())
        return self(_ast.Call, func=function, args=list(args), keywords=[])

    def keep(self, name, value):
        if isinstance(value, _ast.Starred):
            return value
        return self(_ast.NamedExpr, target=self.name(name, _ast.Store()), value=value)
