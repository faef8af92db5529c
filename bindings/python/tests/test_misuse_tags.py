"""Tags of wrong lengths, whatever they contain, are refused by every way into the package.

The vectors say for how long a tag an object was made, and what tag then came.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cipherlane import AEAD, MAC, Batch, Cipher, aead, algorithms, exceptions, mac, modes

PATH = Path(__file__).parents[3] / "crates/vectors/data/misuse-tags.json"
GROUPS = json.loads(PATH.read_text())["groups"]
TESTS = [(group["mode"], test) for group in GROUPS for test in group["tests"]]

REFUSALS = (ValueError, exceptions.InvalidTag, exceptions.InvalidSignature)


class Given:
    """A test, with what it is about."""

    def __init__(self, mode: str, test: dict[str, Any]) -> None:
        cipher, size = ("sm4", "") if mode.startswith("sm4-") else ("aes", "-256")
        self.mode = mode.removeprefix(cipher + size + "-")
        self.algorithm = cipher + size
        self.cipher = algorithms.SM4 if cipher == "sm4" else algorithms.AES
        self.prefix = cipher.upper()
        self.tag_length: int = test["object_tag_bytes"]
        self.key, self.tag = bytes.fromhex(test["key"]), bytes.fromhex(test["tag"])
        self.iv, self.aad = bytes.fromhex(test.get("iv", "")), bytes.fromhex(test.get("aad", ""))
        self.data = bytes.fromhex(test.get("ciphertext", test.get("message", "")))
        self.accepted = test["expected"] == "accepted"


def _by_name(it: Given) -> None:
    AEAD(it.algorithm, it.mode, it.key, it.tag_length).decrypt(it.iv, it.data + it.tag, it.aad)


def _by_class(it: Given) -> None:
    cls = getattr(aead, it.prefix + it.mode.upper().replace("-", ""))
    memory = bytearray(it.data + it.tag)
    cls(it.key, it.tag_length).decrypt_into(it.iv, memory, it.aad, memory)


def _mode(it: Given, tag: bytes | None) -> modes.Tagged:
    if it.mode == "ccm":
        return modes.CCM(it.iv, len(it.data), len(it.aad), tag, it.tag_length)
    return modes.GCM(it.iv, tag, tag_length=it.tag_length)


def _with_the_tag_first(it: Given) -> None:
    context = Cipher(it.cipher(it.key), _mode(it, it.tag)).decryptor()
    context.authenticate_additional_data(it.aad)
    context.update(it.data)
    context.finalize()


def _with_the_tag_last(it: Given) -> None:
    context = Cipher(it.cipher(it.key), _mode(it, None)).decryptor()
    context.authenticate_additional_data(it.aad)
    context.update(it.data)
    context.finalize_with_tag(it.tag)


def _in_a_batch(it: Given) -> None:
    batch = Batch(it.algorithm, f"{it.mode}-open", [it.key], tag_length=it.tag_length)
    offsets = memoryview(struct.pack("2i", 0, len(it.data))).cast("i")
    data = bytearray(it.data)
    wrong = batch.apply(data, offsets, ivs=it.iv, aad=it.aad, tags=it.tag)
    if wrong:
        assert not any(data)
        raise exceptions.InvalidTag


def _mac_by_name(it: Given) -> None:
    one = MAC(it.algorithm, it.mode, it.key, it.iv, tag_length=it.tag_length)
    one.update(it.data)
    one.verify(it.tag)


def _mac_by_function(it: Given) -> None:
    arguments = (it.iv,) if it.mode == "gmac" else ()
    one = getattr(mac, it.mode)(it.cipher(it.key), *arguments, tag_length=it.tag_length)
    one.update(it.data)
    one.verify(it.tag)


Way = Callable[[Given], None]
WHOLE: list[Way] = [_by_name, _by_class, _in_a_batch]
PIECES: list[Way] = [_with_the_tag_first, _with_the_tag_last]
WAYS: dict[str, list[Way]] = {
    "gcm": WHOLE + PIECES,
    "ccm": WHOLE + PIECES,
    "gcm-siv": WHOLE,
    "gmac": [_mac_by_name, _mac_by_function],
    "cmac": [_mac_by_name, _mac_by_function],
}


@pytest.mark.parametrize(("mode", "test"), TESTS, ids=[test["id"] for _, test in TESTS])
def test_tag_of_that_length(mode: str, test: dict[str, Any]) -> None:
    given = Given(mode, test)
    for way in WAYS[given.mode]:
        if given.accepted:
            way(given)
            continue
        with pytest.raises(REFUSALS):
            way(given)


def test_all_modes_are_there() -> None:
    assert {Given(mode, test).mode for mode, test in TESTS} == set(WAYS)
    assert len(TESTS) > 100
