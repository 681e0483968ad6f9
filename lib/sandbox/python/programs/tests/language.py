"""The part of Python that tests may use where the judge itself runs them; anything else is judged in one process.

A result of the candidate must not become code or choose a name, however the tests pass it on. So this list says what is
allowed, not what is forbidden.
"""

import _ast

from errors import EXCEPTIONS
from nodes import name_of, walk
from prelude import MODULES

# Modules whose public names may all be used: they run nothing as code, and their values do not depend on the process.
WHOLE = {
    'base64', 'binascii', 'bisect', 'calendar', 'cmath', 'collections', 'colorsys', 'copy', 'csv', 'datetime', 'difflib', 'enum', 'errno',
    'fractions', 'graphlib', 'hashlib', 'heapq', 'hmac', 'html', 'ipaddress', 'itertools', 'json', 'json.decoder', 'keyword', 'math', 'numbers',
    'pprint', 're', 'secrets', 'statistics', 'struct', 'textwrap', 'unicodedata', 'urllib.parse', 'zlib', 'zoneinfo',
}  # fmt: skip
# Of others, these names.
PARTLY = {
    'ast': 'literal_eval parse dump walk unparse',
    'contextlib': 'suppress nullcontext contextmanager closing ExitStack',
    'dataclasses': 'dataclass field fields asdict astuple replace is_dataclass InitVar MISSING KW_ONLY',
    'decimal': '''Decimal ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP ROUND_05UP''',
    'functools': 'reduce lru_cache cache cached_property wraps cmp_to_key total_ordering',
    'pytest': 'mark param raises approx fixture fail main',
    'random': '''random randint randrange choice choices sample shuffle uniform gauss normalvariate expovariate betavariate triangular
        getrandbits Random SystemRandom''',
    'string': '''ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace capwords
        Template''',
    'sys': 'maxsize float_info int_info hash_info version version_info byteorder maxunicode platform implementation exit path exc_info intern',
    'time': 'time time_ns sleep perf_counter perf_counter_ns monotonic process_time strftime strptime localtime gmtime mktime struct_time asctime ctime',
    'traceback': 'format_exc format_exception format_exception_only print_exc',
    'typing': '''Any Union Optional List Dict Set FrozenSet Tuple Type Callable Iterable Iterator Generator Sequence Mapping MutableMapping
        MutableSequence Collection Literal Final ClassVar Annotated TypeVar Generic Protocol NamedTuple TypedDict DefaultDict Deque Counter
        OrderedDict Text NoReturn Never Self NewType Hashable Sized Container Reversible SupportsInt SupportsFloat SupportsAbs AnyStr Awaitable
        Coroutine AsyncIterator AsyncIterable AsyncGenerator TypeAlias ParamSpec Concatenate TypeGuard Pattern Match IO TextIO BinaryIO cast
        overload final no_type_check runtime_checkable get_origin get_args TYPE_CHECKING ItemsView KeysView ValuesView ChainMap NamedTuple
        MutableSet AbstractSet ByteString SupportsIndex SupportsRound SupportsBytes SupportsComplex Required NotRequired LiteralString''',
    'unittest': 'TestCase main skip TestSuite TestLoader TextTestRunner TestResult defaultTestLoader makeSuite',
}  # fmt: skip
PARTLY = {name: frozenset(names.split()) for name, names in PARTLY.items()}
NAMES = {
    *'''abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter float format frozenset getattr
    hasattr hash hex int isinstance issubclass iter len list map max memoryview min next object oct ord pow print property range repr reversed round
    set slice sorted staticmethod str sum super tuple type zip Ellipsis NotImplemented __debug__ __name__ __doc__'''.split(),
    *EXCEPTIONS,
} - {'ExceptionGroup', 'BaseExceptionGroup', 'StopIteration', 'StopAsyncIteration'}  # fmt: skip
# Special attributes, and names of special methods that a class may assign.
SPECIAL = {'__name__', '__init__', '__cause__', '__notes__', '__class__'}
ASSIGNED = {'__all__', '__slots__', '__match_args__', '__tracebackhide__', '__name__'}.union(*map(dir, (int, str, list, dict))) - {'__doc__', '__class__'}
OF_ERRORS = {'args', '__class__', '__name__', '__traceback__'}
# Attributes that lead to frames, code, modules and groups of exceptions, or load what a text names.
LEADING = {
    'tb_frame', 'tb_next', 'gi_frame', 'gi_code', 'gi_yieldfrom', 'cr_frame', 'cr_code', 'ag_frame', 'f_globals', 'f_locals', 'f_back', 'f_builtins',
    'f_code', 'mro', 'loadTestsFromName', 'loadTestsFromNames', 'discover', 'format_field', 'get_field', 'add_marker', 'applymarker', 'getfixturevalue',
    'exceptions', 'subgroup', 'derive',
}  # fmt: skip


def beyond(program, builtins):
    """What a test program uses that is not on the lists; None if there is nothing."""
    uses = {use for use in program.uses if use.partition('.')[0] not in ('', 'self', 'fixture')} | program.free.intersection(MODULES)
    starred = [use[:-2] for use in uses if use.endswith('.*')]
    uses |= {'%s.%s' % (module, name) for module in starred for name in program.free if is_listed(module) and hasattr(loaded(module), name)}
    for use in sorted(uses):
        if not may_use(use):
            return 'use %s' % (use if is_listed(use.partition('.')[0]) else 'the module %s' % use.partition('.')[0])
    for name in sorted((program.free & builtins) - NAMES):
        return 'use %s' % name
    for use in sorted(program.uses):
        name = use[1:] if use[0] == '.' else ''
        if name in LEADING or name[:2] == '__' and name not in SPECIAL:
            return 'use %s' % name
    constants = constant_texts(program.tree)
    called = {id(node.func): node for node in walk(program.tree) if isinstance(node, _ast.Call)}
    inner = {id(node.value) for node in walk(program.tree) if isinstance(node, _ast.Attribute)}
    assigned = [node for node in walk(program.tree) if isinstance(node, _ast.Assign) and chooses(node.value)]
    chosen = {name_of(target) for node in assigned for target in node.targets} - {''}
    caught = {node.name for node in walk(program.tree) if isinstance(node, _ast.ExceptHandler)} - {None}
    for node in walk(program.tree):
        if isinstance(node, _ast.Call) and (chooses(node.func) or name_of(node.func) in chosen):
            return 'choose a function as they run'
        name, call = name_of(node), called.get(id(node))
        if not name:
            continue
        if isinstance(node, _ast.Name):
            if name in program.modules and id(node) not in inner and isinstance(node.ctx, _ast.Load):
                return 'hand on the module %s' % name
            if name in ('getattr', 'hasattr') and not names_attribute(call):
                return 'choose an attribute as they run'
            if name == 'type' and call and (len(call.args) > 1 or call.keywords):
                return 'make a class as they run'
            if name[:2] == '__' == name[-2:] and isinstance(node.ctx, _ast.Store) and name not in ASSIGNED:
                return 'assign %s' % name
        elif not isinstance(node.ctx, _ast.Load) and getattr(node.value, 'id', None) in program.modules:
            return 'patch %s.%s' % (node.value.id, name)
        elif name not in OF_ERRORS and (name_of(node.value) in caught or name_of(node.value) in ('value', 'exception')):
            return 'use the attribute %s of an exception' % name
        elif name in ('format', 'format_map') and not is_text(node.value, constants):
            return 'use a format that is not written down'
        if name in ('skipif', 'xfail', 'skipTest', 'importorskip'):
            return 'use %s, which may depend on a result' % name
    return None


def chooses(node):
    """Whether a value names what is taken: `checks[kind]`."""
    return isinstance(node, _ast.Subscript) and not isinstance(node.slice, _ast.Constant)


def is_listed(module):
    return module in WHOLE or module in PARTLY or any(name.startswith(module + '.') for name in WHOLE)


def may_use(use):
    """Whether a dotted name is on the lists: `math.sqrt`, `datetime.datetime.now`, `collections`."""
    module, _, rest = use.partition('.')
    first, _, more = rest.partition('.')
    if '%s.%s' % (module, first) in WHOLE:
        module, (first, _, more) = '%s.%s' % (module, first), more.partition('.')
    if not is_listed(module):
        return False
    if any(part[:1] == '_' and part not in SPECIAL for part in (first, *more.split('.'))):
        return False
    if not first or first == '*':
        return True
    # Exceptions cross with their builtin base.
    if is_error(getattr(loaded(module), first, None)):
        return False
    if module in PARTLY:
        return first in PARTLY[module]
    return module in WHOLE and type(getattr(loaded(module), first, None)) is not MODULE


def is_error(value):
    return isinstance(value, type) and issubclass(value, BaseException) and value.__module__ != 'builtins'


def loaded(module):
    """A module of the lists, which the tests import anyway."""
    try:
        return __import__(module, None, None, ['*'])
    except ImportError:
        return None


def names_attribute(call):
    """Whether a call of `getattr` or `hasattr` names the attribute itself."""
    name = call.args[1] if call and len(call.args) > 1 else None
    return isinstance(name, _ast.Constant) and isinstance(name.value, str) and name.value[:1] != '_' and name.value not in LEADING


def constant_texts(tree):
    """Names that are only ever a text that is written down."""
    stored, texts = [], []
    for node in walk(tree):
        if isinstance(node, _ast.Assign) and isinstance(node.targets[0], _ast.Name) and is_text(node.value, ()):
            texts.append(node.targets[0].id)
        if isinstance(node, _ast.Name) and not isinstance(node.ctx, _ast.Load):
            stored.append(node.id)
        stored += [getattr(node, field, None) for field in ('arg', 'name')]
    return {name for name in texts if stored.count(name) == 1}


def is_text(node, constants):
    if isinstance(node, _ast.BinOp):
        return is_text(node.left, constants) and is_text(node.right, constants)
    return isinstance(node, _ast.Constant) or isinstance(node, _ast.Name) and node.id in constants


MODULE = type(_ast)
