"""The names that tests see: the task's declaration, and what the harness puts in scope."""

from errors import BUILTINS
from prelude import prelude

MAIN = '__main__'


class Names(dict):
    """The tests' globals. Names that neither they nor the declaration define are the harness's."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed
        self['__name__'], self['__builtins__'] = MAIN, BUILTINS

    def copy(self):
        """For doctest, whose examples see the same names."""
        names = Names(self.seed)
        names.update(self)
        return names

    def __missing__(self, name):
        if name in BUILTINS or name.startswith('__'):
            raise KeyError(name)
        self[name] = value = prelude(name, self.seed)
        return value


def declared_names(declaration, seed):
    """Runs the task's own helpers: the tests compare with what they give, so they must not be the candidate's."""
    names = Names(seed)
    for program in bodies(declaration.rstrip()):
        try:
            code = compile(program, '<declaration>', 'exec', dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        exec(code, names)
        break
    return names


def bodies(declaration):
    """The declaration with a body, as its last line may be indented or not, and as it is."""
    last = declaration.rpartition('\n')[2]
    indent = last[: len(last) - len(last.lstrip())]
    for space in (indent, '    ', '  ', '\t'):
        yield '%s\n%spass\n' % (declaration, space)
    yield declaration + ' pass\n'
    yield declaration
