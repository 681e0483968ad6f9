"""Which names a test program uses as classes: `isinstance(x, Point)`, `raises(Oops)`, `except Oops`, `class A(Base)`."""

import _ast

from nodes import name_of, walk

TAKING_CLASSES = ('isinstance', 'issubclass', 'raises', 'assertRaises', 'assertRaisesRegex', 'assertIsInstance', 'assertNotIsInstance')


def class_uses(tree):
    found = set()
    for node in walk(tree):
        if isinstance(node, _ast.Call) and name_of(node.func) in TAKING_CLASSES:
            of_case = name_of(node.func).endswith('IsInstance') or name_of(node.func).startswith('is')
            found |= names_in(node.args[1:2] if of_case else node.args[:1])
        elif isinstance(node, _ast.ExceptHandler) and node.type is not None:
            found |= names_in([node.type])
        elif isinstance(node, _ast.ClassDef):
            found |= names_in(node.bases)
    return found


def names_in(nodes):
    parts = [part for node in nodes for part in (node.elts if isinstance(node, _ast.Tuple) else [node])]
    return {part.id for part in parts if isinstance(part, _ast.Name)}
