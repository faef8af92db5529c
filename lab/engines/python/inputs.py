"""The one generator of keys, IVs and data, and the lengths of a mix: the same in every engine."""

import struct

KEY, IV, DATA, AAD, LENGTH, DRAW = range(1, 7)
#: Keys and IVs of the ring, and the bytes that its buffers may fill together.
SLOTS = 64
RING_BYTES = 1 << 20

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
IMIX = (40,) * 7 + (576,) * 4 + (1500,)


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def words(seed: int, kind: int, index: int, count: int) -> list[int]:
    state = _mix((_mix((seed + _GOLDEN) & _MASK) + (kind << 32) + index) & _MASK)
    found = []
    for _ in range(count):
        state = (state + _GOLDEN) & _MASK
        found.append(_mix(state) or _GOLDEN)
    return found


def make(seed: int, kind: int, index: int, length: int) -> bytearray:
    count = (length + 7) // 8
    made = bytearray(struct.pack(f"<{count}Q", *words(seed, kind, index, count)))
    del made[length:]
    return made


def round_up(value: int, granule: int) -> int:
    return -(-value // granule) * granule


def mix_granule(size: int) -> int:
    """The block that lengths of the mix are rounded up to, told by their mean; 0 if none."""
    for granule in (1, 8, 16):
        total = sum(round_up(length, granule) for length in IMIX)
        if (total + 6) // 12 == size:
            return granule
    return 0


def lengths(seed: int, size: int, count: int, mix: bool) -> list[int]:
    """The lengths of so many messages."""
    if not mix:
        return [size] * count
    granule, found = mix_granule(size), list[int]()
    for dozen in range(-(-count // 12)):
        twelve = list(IMIX)
        draws = words(seed, LENGTH, dozen, 11)
        for draw, place in zip(draws, range(11, 0, -1), strict=True):
            other = draw % (place + 1)
            twelve[place], twelve[other] = twelve[other], twelve[place]
        found += [round_up(length, granule) for length in twelve]
    return found[:count]
