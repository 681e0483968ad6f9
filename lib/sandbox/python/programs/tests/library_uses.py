"""Which library functions a test program uses, by its imports: `os.path.exists`, not every method named `exists`."""

import _ast

from nodes import walk
from prelude import MODULES

FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef)


def library_uses(tree):
    """Dotted names: `warnings.catch_warnings`; `self.assertLogs` for methods; `fixture.tmp_path` for fixtures."""
    origins = imported(tree)
    found = set(origins.values())
    origins = {**dict(zip(MODULES, MODULES)), **origins}
    for node in walk(tree):
        if isinstance(node, _ast.Attribute):
            found.add('.%s' % node.attr)
            name = dotted(node, origins)
            if name:
                found.add(name)
        elif isinstance(node, FUNCTIONS) and takes_fixtures(node):
            found.update('fixture.%s' % argument.arg for argument in node.args.args + node.args.kwonlyargs)
    return found


def imported(tree):
    """The dotted names that the program's own names stand for."""
    origins = {'self': 'self', 'cls': 'self'}
    for node in walk(tree):
        if isinstance(node, _ast.Import):
            for alias in node.names:
                first = alias.name.partition('.')[0]
                origins[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, _ast.ImportFrom):
            for alias in node.names:
                origins[alias.asname or alias.name] = '%s.%s' % (node.module, alias.name)
    return origins


def dotted(node, origins):
    if isinstance(node, _ast.Name):
        return origins.get(node.id)
    owner = dotted(node.value, origins) if isinstance(node, _ast.Attribute) else None
    return owner and '%s.%s' % (owner, node.attr)


def takes_fixtures(function):
    return function.name.startswith('test') or any(
        isinstance(part, _ast.Attribute) and part.attr == 'fixture' or isinstance(part, _ast.Name) and part.id == 'fixture'
        for decorator in function.decorator_list
        for part in walk(decorator)
    )
