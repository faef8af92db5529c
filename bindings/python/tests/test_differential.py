"""Random sequences of calls on this package and on ``cryptography``: the same results, or
exceptions of the same name, but for the differences that :mod:`differences` lists with reasons.

``CIPHERLANE_DIFFERENTIAL_SECONDS`` says how long (20 unless told), ``CIPHERLANE_DIFFERENTIAL_SEED``
which sequences; without it they are others each time, and the seed is printed.
"""

import os
import random
import time
import warnings
from collections import Counter

import pytest
from contexts import MODES, Contexts
from differences import RULES
from messages import AEADS, Macs, Messages
from sequences import Sequence, Told

SECONDS = float(os.environ.get("CIPHERLANE_DIFFERENTIAL_SECONDS", "20"))

#: What sequences are about; the modes that most use come more often.
ORIGINS: list[tuple[type[Sequence], str, str]] = [
    *(
        (Contexts, name, mode)
        for name in ("AES", "SM4")
        for mode in (*MODES, "GCM", "GCM")
        if (name, mode) not in {("SM4", "CFB8"), ("SM4", "XTS")}
    ),
    *((Contexts, "IDEA", mode) for mode in ("ECB", "CBC", "CFB", "OFB")),
    (Contexts, "RC2", "CBC"),
    (Contexts, "RC4", ""),
    *((Messages, name, "") for name in AEADS for _ in range(3)),
    *((Macs, name, "") for name in ("AES", "SM4")),
]


def differs(sequence: Sequence, used: Counter[str]) -> Told | None:
    """The first call that the two answer differently, and no rule allows."""
    for told in sequence.run():
        if told.ours == told.theirs:
            continue
        rule = next((it for it in RULES if it.allows(sequence, told)), None)
        if rule is None:
            return told
        used[rule.name] += 1
        if not rule.goes_on:
            return None
    return None


def test_same_as_cryptography(capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("CIPHERLANE_DIFFERENTIAL_SEED") or time.time_ns() % (1 << 32))
    draws = random.Random(seed)
    calls, sequences, used = 0, 0, Counter[str]()
    end = time.monotonic() + SECONDS
    failed: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while time.monotonic() < end and not failed:
            for _ in range(100):
                kind, name, mode = draws.choice(ORIGINS)
                sequence = kind(random.Random(draws.getrandbits(64)), name, mode)
                wrong = differs(sequence, used)
                sequences, calls = sequences + 1, calls + sequence.calls
                if wrong is not None:
                    failed.append(f"seed {seed}, sequence {sequences}\n{sequence.story()}")
                    break
    with capsys.disabled():
        print(f"\n{calls} calls, {sequences} sequences, seed {seed}; allowed differences:")
        for rule in RULES:
            print(f"  {used[rule.name]:>8} {rule.name}")
    assert not failed, failed[0]
    assert calls > 0
