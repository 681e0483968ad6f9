"""Messages of a candidate with classes, objects, iterators and exceptions in them, damaged at random, for a judge.

The judge's side reads or refuses any message, and holds only values of its own kinds afterwards. Prints how
many messages were tried, or fails. Arguments: the folder of the sandbox's modules, a seed.
"""

import enum
import glob
import random
import sys
import types
from collections import namedtuple

sys.path[:0] = glob.glob(sys.argv[1] + '/*/')

from candidate import CandidatePeer  # noqa: E402
from errors import described, rebuilt  # noqa: E402
from judge_peer import JudgePeer  # noqa: E402
from peer import Fatal  # noqa: E402
from stand_ins import AsyncGenerator, Function, Handle, HandleType, Iterator  # noqa: E402

DAMAGES = 6000
space = {'__name__': 'candidate', 'enum': enum, 'namedtuple': namedtuple}
exec(
    '''
class Plain:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __len__(self): return 1
class Child(Plain):
    pass
class Odd(ValueError):
    pass
class Level(enum.IntEnum):
    LOW = 1
Pair = namedtuple('Pair', 'a b')
def numbers():
    yield 1
async def later():
    return 1
''',
    space,
)
OURS = (Function, Handle, Iterator, AsyncGenerator, HandleType, BaseException, types.CoroutineType)
PLAIN_MODULES = ('builtins', 'collections', 'decimal', 'fractions', 'datetime')


def values():
    error = space['Odd']('x', [1])
    error.code = {'a': 1}
    error.__cause__ = KeyError('k')
    shared = [1, 2]
    return [
        [space['Plain'](1), space['Child'](2)], space['Child'], space['Level'].LOW, space['Pair'](1, [2]), space['numbers'](),
        space['numbers'], error, ValueError('y'), [shared, shared, {'k': shared}], iter([1]), {1: {2, 3}, 'x': (4, 5.0)}, numbers_of(3),
    ]  # fmt: skip


def numbers_of(n):
    return (space['Plain'](i) for i in range(n))


def is_ours(found, seen):
    if id(found) in seen:
        return True
    seen.add(id(found))
    if isinstance(found, dict):
        return all(is_ours(part, seen) for pair in found.items() for part in pair)
    if isinstance(found, (list, tuple, set, frozenset)):
        return all(is_ours(part, seen) for part in found)
    kind = type(found)
    return isinstance(found, OURS) or kind.__module__ in PLAIN_MODULES or type(kind).__name__ in ('HandleType', 'EnumType')


def main(seed):
    rng = random.Random(seed)
    messages = []
    for value in values():
        for kind in ('return', 'next'):
            messages.append(bytes(CandidatePeer(0).message(kind, value)))
    peer = CandidatePeer(0)
    messages.append(bytes(peer.message('raise', described(values()[6], peer))))
    for _ in range(DAMAGES):
        data = bytearray(rng.choice(messages))
        for _ in range(rng.randrange(0, 4)):
            where = rng.randrange(len(data) + 1)
            data[where : where + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        judge = JudgePeer()
        judge.receive = lambda data=bytes(data): data
        try:
            kind = judge.read_message()
        except Fatal:
            continue
        found = judge.taken()
        assert is_ours(found, set()), found
        if kind == 'raise':
            try:
                assert isinstance(rebuilt(found, judge), BaseException)
            except Exception:
                pass
    print(DAMAGES, 'damages')


sys.unraisablehook = lambda *_: None
main(int(sys.argv[2]))
