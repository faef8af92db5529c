"""The algorithms of 3GPP's air interface by key, COUNT, BEARER and DIRECTION.

One object serves one packet: the IV is made of the numbers, which must never come twice under one
key. COUNT has 32 bits, BEARER is 0 to 31 (in PDCP the radio bearer's identity less 1).

>>> from cipherlane import air
>>> tag = air.eia3(bytes(16), 0, 0, air.Direction.UPLINK)
>>> tag.update_bits(b"\\0", 1)
>>> tag.finalize().hex()
'c8a9595e'

The 128-bit algorithms do as TS 35.221 says. Of the 256-bit ones the text of TS 35.246 was not at
hand: how the numbers stand in their IVs is **assumed**, and their names say so. Compare
:func:`assumed_nea6_iv` and its neighbours with the specification before you work together with
others' equipment, or make the IVs yourself for :class:`cipherlane.algorithms.NEA6`,
:func:`cipherlane.mac.nia6` and :class:`cipherlane.aead.NCA6`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from ._native import MAC, CipherContext, air_iv, eea3_bits

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "Direction",
    "assumed_nca6_nonce",
    "assumed_nea6_iv",
    "assumed_nia6_iv",
    "eea3",
    "eea3_apply",
    "eea3_iv",
    "eia3",
    "eia3_iv",
    "iv",
    "nea6_assuming",
    "nia6_assuming",
]


class Direction(IntEnum):
    """DIRECTION, one bit."""

    #: From the terminal to the network.
    UPLINK = 0
    #: From the network to the terminal.
    DOWNLINK = 1


def _iv(operation: str, count: int, bearer: int, direction: int, tag_length: int = 16) -> bytes:
    _check(count, bearer, direction)
    return air_iv(operation, count, bearer, direction, tag_length)


def _check(count: int, bearer: int, direction: int) -> None:
    for field, value, most in (
        ("COUNT", count, 0xFFFF_FFFF),
        ("BEARER", bearer, 31),
        ("DIRECTION", direction, 1),
    ):
        if not 0 <= value <= most:
            raise ValueError(f"{field} is {value}; allowed: 0 to {most}")


def iv(
    operation: str, count: int, bearer: int, direction: int, tag_length: int | None = None
) -> bytes:
    """The IV of any algorithm of 3GPP, by the operation's name: ``nea1``, ``nia1``, ``nea1+nia1``,
    ``nea2``, ``nia2``, ``nea2+nia2``, ``eea3``, ``eia3``, ``eea3+eia3``, ``nea4`` to ``nea6``,
    ``nia4`` to ``nia6``, ``nca4`` to ``nca6``. Those of the last nine are **assumed**, and those of ``nia4`` to ``nca6`` tell
    the tag's length in bytes, 4 to 16, or 16 unless told.

    >>> iv("nia2", 0x398A59B4, 0x1A, Direction.DOWNLINK).hex()
    '398a59b4d4000000'
    """
    return _iv(operation, count, bearer, direction, 16 if tag_length is None else tag_length)


def eea3_iv(count: int, bearer: int, direction: int) -> bytes:
    """The IV of 128-EEA3 (TS 35.221 §3.3): COUNT, BEARER, DIRECTION and 26 zero bits, twice."""
    return _iv("eea3", count, bearer, direction)


def eia3_iv(count: int, bearer: int, direction: int) -> bytes:
    """The IV of 128-EIA3 (TS 35.221 §4.3): COUNT, BEARER and 27 zero bits, twice; DIRECTION is
    added to the highest bits of bytes 8 and 14."""
    return _iv("eia3", count, bearer, direction)


def assumed_nea6_iv(count: int, bearer: int, direction: int) -> bytes:
    """An IV for 256-NEA6, **assumed**: byte 0 is 0, byte 1 has BEARER in front of DIRECTION,
    bytes 2 to 5 are COUNT, the others are 0."""
    return _iv("nea6", count, bearer, direction)


def assumed_nia6_iv(count: int, bearer: int, direction: int, tag_length: int = 16) -> bytes:
    """An IV for 256-NIA6, **assumed** as before; byte 0 is the tag's length in bits."""
    return _iv("nia6", count, bearer, direction, tag_length)


def assumed_nca6_nonce(count: int, bearer: int, direction: int, tag_length: int = 16) -> bytes:
    """A nonce for 256-NCA6, **assumed** as before; byte 0 is the tag's length in bits and 4."""
    return _iv("nca6", count, bearer, direction, tag_length)


def eea3(key: Buffer, count: int, bearer: int, direction: int) -> CipherContext:
    """128-EEA3 for one packet: ``update`` encrypts, and decrypts, pieces of bytes."""
    return CipherContext("zuc-128", "eea3", key, eea3_iv(count, bearer, direction))


def eea3_apply(
    key: Buffer, count: int, bearer: int, direction: int, data: Buffer, bits: int | None = None
) -> bytes:
    """128-EEA3 on a whole packet of LENGTH ``bits``, all of ``data`` unless told; the bits behind
    the last one come out as 0."""
    _check(count, bearer, direction)
    length = 8 * memoryview(data).nbytes if bits is None else bits
    if length < 0:
        raise ValueError(f"LENGTH in bits is {length}; allowed: 1 to 4294967295")
    return eea3_bits(key, count, bearer, direction, data, length)


def eia3(key: Buffer, count: int, bearer: int, direction: int) -> MAC:
    """128-EIA3 for one message, with tags of 4 bytes; ``update_bits`` ends it inside a byte."""
    return MAC("zuc-128", "eia3", key, eia3_iv(count, bearer, direction))


def nea6_assuming(key: Buffer, count: int, bearer: int, direction: int) -> CipherContext:
    """256-NEA6 for one packet, with the IV that :func:`assumed_nea6_iv` makes."""
    return CipherContext("zuc-256-2023", "nea6", key, assumed_nea6_iv(count, bearer, direction))


def nia6_assuming(
    key: Buffer, count: int, bearer: int, direction: int, tag_length: int = 16
) -> MAC:
    """256-NIA6 for one message, with the IV that :func:`assumed_nia6_iv` makes."""
    iv = assumed_nia6_iv(count, bearer, direction, tag_length)
    return MAC("zuc-256-2023", "nia6", key, iv, tag_length=tag_length)
