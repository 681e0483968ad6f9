"""Random plain data there and back, and random damage: prints how many of each held, or fails.

Arguments: the folder of the sandbox's modules, a seed.
"""

import glob
import random
import sys

sys.path[:0] = glob.glob(sys.argv[1] + '/*/')

from declared import Declared  # noqa: E402
from plain import Decoder, Encoder, Malformed, NotPlain  # noqa: E402

ROUND_TRIPS, DAMAGES = 3000, 20_000
SIGNS = '{}[]",:0123456789-.eltsdzcrkvmyRbiNaI\\u#+'
PLAIN = (
    type(None), type(...), bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range,
    type({}.keys()), type({}.values()), type({}.items()),
)  # fmt: skip


def encode(value):
    return Encoder(Declared()).text(value)


def decode(data):
    return Decoder(Declared(), appends=True).value(data)


def scalar(rng):
    return rng.choice(
        [
            None, ..., True, False, rng.getrandbits(rng.randrange(1, 300)) * rng.choice([1, -1]), rng.uniform(-1e9, 1e9),
            -0.0, float('inf'), complex(rng.random(), -1), ''.join(map(chr, rng.choices(range(0x11000), k=rng.randrange(5)))),
            rng.randbytes(rng.randrange(5)), range(rng.randrange(9), rng.randrange(99), rng.randrange(1, 4)),
        ]
    )  # fmt: skip


def value(rng, depth=0):
    kind = rng.randrange(10) if depth < 5 else 0
    some = rng.randrange(4)
    if kind < 5:
        return scalar(rng)
    if kind == 5:
        return [value(rng, depth + 1) for _ in range(some)]
    if kind == 6:
        return tuple(value(rng, depth + 1) for _ in range(some))
    if kind == 7:
        return {scalar(rng): value(rng, depth + 1) for _ in range(some)}
    if kind == 8:
        return rng.choice([set, frozenset])(scalar(rng) for _ in range(some))
    return bytearray(rng.randbytes(some))


def same(one, other):
    if type(one) is not type(other):
        return False
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) is dict:
        return all(map(same, one.keys(), other.keys())) and all(map(same, one.values(), other.values()))
    return one == other and (type(one) is not float or repr(one) == repr(other))


def all_plain(found, seen):
    if id(found) in seen:
        return True
    seen.add(id(found))
    if type(found) is dict:
        return all(all_plain(part, seen) for pair in found.items() for part in pair)
    if type(found) in (list, tuple, set, frozenset):
        return all(all_plain(part, seen) for part in found)
    return type(found) in PLAIN or type(found).__module__ in ('collections', 'builtins', 'decimal', 'fractions', 'datetime')


def main(seed):
    rng = random.Random(seed)
    messages = []
    for _ in range(ROUND_TRIPS):
        sent = value(rng)
        messages.append(encode(sent))
        assert same(sent, decode(messages[-1])), sent
    refused = 0
    for _ in range(DAMAGES):
        data = list(rng.choice(messages))
        for _ in range(rng.randrange(1, 4)):
            where = rng.randrange(len(data) + 1)
            data[where : where + rng.randrange(3)] = rng.choices(SIGNS, k=rng.randrange(4))
        try:
            found = decode(''.join(data))
        except Malformed:
            refused += 1
        else:
            assert all_plain(found, set()), found
    for odd in (type('Int', (int,), {'__eq__': lambda *_: True, '__hash__': int.__hash__})(1), type('List', (list,), {})(), object(), main, iter([])):
        try:
            encode([odd])
            raise SystemExit('%r crossed' % odd)
        except NotPlain:
            pass
    print(ROUND_TRIPS, 'round trips,', DAMAGES, 'damages,', refused > DAMAGES / 10)


main(int(sys.argv[2]))
