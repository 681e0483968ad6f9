"""Which library functions a test program uses, by its imports: `os.path.exists`, not every method named `exists`."""

import _ast

from nodes import FUNCTIONS, name_of, walk
from prelude import EXPORTS, MODULES


def library_uses(tree):
    """Dotted names: `warnings.catch_warnings`; `self.assertLogs` for methods; `fixture.tmp_path` for fixtures."""
    origins = imported(tree)
    found = set(origins.values())
    origins = {**PROVIDED, **origins}
    for node in walk(tree):
        if isinstance(node, _ast.Name) and node.id in origins and node.id not in MODULES:
            found.add(origins[node.id])
        elif isinstance(node, _ast.Attribute):
            found.add('.%s' % node.attr)
            name = dotted(node, origins)
            if name:
                found.add(name)
        elif isinstance(node, FUNCTIONS) and takes_fixtures(node):
            found.update('fixture.%s' % argument.arg for argument in node.args.args + node.args.kwonlyargs)
    return found


# The names that the harness gives to every program.
PROVIDED = {**{name: '%s.%s' % (module, name) for module, names in EXPORTS for name in names}, **dict(zip(MODULES, MODULES))}


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
        name_of(part) == 'fixture' for decorator in function.decorator_list for part in walk(decorator)
    )


def module_names(tree):
    """Names that stand for a module: those that the program imports, and the harness's, which are often names of parameters too."""
    found, bound = set(), set()
    for node in walk(tree):
        if isinstance(node, _ast.Import):
            found.update(alias.asname or alias.name.partition('.')[0] for alias in node.names)
        elif isinstance(node, _ast.Name) and not isinstance(node.ctx, _ast.Load):
            bound.add(node.id)
        elif isinstance(node, (*FUNCTIONS, _ast.ClassDef, _ast.arg)):
            bound.add(getattr(node, 'arg', None) or getattr(node, 'name', None))
        elif isinstance(node, _ast.ImportFrom):
            bound.update(alias.asname or alias.name for alias in node.names)
    return found | set(MODULES) - bound
