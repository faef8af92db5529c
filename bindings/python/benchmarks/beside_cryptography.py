"""This package beside ``cryptography``: times of a call, and how many times as long theirs takes.

Both run in turns in one process, and the least time of many is printed: what others do on the
machine meanwhile falls out. `new` makes all objects for each message, as who follows the examples
does; `ready` uses one object for all messages.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import cipherlane
import cryptography
from cipherlane import Cipher, aead, algorithms, modes
from cryptography.hazmat.primitives.ciphers import Cipher as TheirCipher
from cryptography.hazmat.primitives.ciphers import aead as their_aead
from cryptography.hazmat.primitives.ciphers import algorithms as their_algorithms
from cryptography.hazmat.primitives.ciphers import modes as their_modes

KEY, IV = os.urandom(16), os.urandom(16)
SIZES = (16, 1024, 1 << 20)
_COUNT = itertools.count()


def nonce() -> bytes:
    return next(_COUNT).to_bytes(12, "big")


def least(calls: list[Callable[[], Any]], size: int) -> list[float]:
    """The least time of each of the calls, in microseconds, which are made in turns."""
    repeats, best = max(1, 100_000 // (size + 200)), [1 << 62] * len(calls)
    end = perf_counter_ns() + 1_000_000_000
    while perf_counter_ns() < end:
        for place, call in enumerate(calls):
            start = perf_counter_ns()
            for _ in range(repeats):
                call()
            best[place] = min(best[place], perf_counter_ns() - start)
    return [time / repeats / 1000 for time in best]


def new(package: Any, name: str, mode: str, data: bytes) -> Callable[[], Any]:
    cipher, ciphers, modes_ = package
    algorithm, make = getattr(ciphers, name), getattr(modes_, mode)

    def gcm() -> Any:
        context = cipher(algorithm(KEY), make(nonce())).encryptor()
        return context.update(data) + context.finalize(), context.tag

    def plain() -> Any:
        context = cipher(algorithm(KEY), make(IV)).encryptor()
        return context.update(data) + context.finalize()

    return gcm if mode == "GCM" else plain


def ready(package: Any, name: str, mode: str, data: bytes) -> Callable[[], Any]:
    cipher, ciphers, modes_ = package
    context = cipher(getattr(ciphers, name)(KEY), getattr(modes_, mode)(IV)).encryptor()
    return lambda: context.update(data)


def whole(cls: Any, data: bytes) -> Callable[[], Any]:
    made = cls(KEY)
    return lambda: made.encrypt(nonce(), data, None)


def into(cls: Any, data: bytes) -> Callable[[], Any]:
    made, buffer = cls(KEY), bytearray(len(data) + 16)
    return lambda: made.encrypt_into(nonce(), data, None, buffer)


OURS = (Cipher, algorithms, modes)
THEIRS = (TheirCipher, their_algorithms, their_modes)


def main() -> None:
    print(f"cipherlane {cipherlane.__version__} at {cipherlane.level()}, ", end="")
    print(f"cryptography {cryptography.__version__}; microseconds")
    print(f"{'what':32}{'bytes':>9}{'ours':>10}{'theirs':>10}{'ratio':>8}")
    behind = []
    for size in SIZES:
        data = os.urandom(size)
        rows: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = []
        for name in ("AES", "SM4"):
            for mode in ("GCM", "CTR", "CBC"):
                both = (new(OURS, name, mode, data), new(THEIRS, name, mode, data))
                rows.append((f"{name}-{mode}, new", *both))
            for mode in ("CTR", "CBC"):
                both = (ready(OURS, name, mode, data), ready(THEIRS, name, mode, data))
                rows.append((f"{name}-{mode}, ready", *both))
        for how in (whole, into):
            both = how(aead.AESGCM, data), how(their_aead.AESGCM, data)
            rows.append((f"AESGCM.encrypt{'_into' if how is into else ''}, ready", *both))
        # They have no SM4GCM: what there is in its place.
        both = (whole(aead.SM4GCM, data), new(THEIRS, "SM4", "GCM", data))
        rows.append(("SM4GCM.encrypt, ready", *both))
        for what, ours, theirs in rows:
            one, other = least([ours, theirs], size)
            print(f"{what:32}{size:>9}{one:>10.2f}{other:>10.2f}{other / one:>8.2f}", flush=True)
            if one > other:
                behind.append(f"{what} at {size} bytes")
    print("behind: " + ("; ".join(behind) or "nothing"))


if __name__ == "__main__":
    main()
