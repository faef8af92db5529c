"""MACs: ``update``, then ``finalize`` or ``verify`` as in ``cryptography``, which end the object,
or ``digest``, ``hexdigest`` and ``copy`` as in ``hashlib``, which do not.

A MAC with an IV (GMAC, those of ZUC) gives one tag: ``digest`` and ``hexdigest`` end it, too, and
it has no ``copy``. Two tags under one IV tell enough to forge others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import MAC
from .algorithms import BlockCipher
from .exceptions import UnsupportedAlgorithm

if TYPE_CHECKING:
    from typing_extensions import Buffer


def _key(algorithm: BlockCipher) -> bytes:
    """The key of an algorithm, where that says all of it."""
    if algorithm.parameters():
        given = ", ".join(algorithm.parameters())
        raise UnsupportedAlgorithm(f"a MAC with {given}; allowed: the usual member of the family")
    return algorithm.key


def cmac(algorithm: BlockCipher, *, tag_length: int | None = None) -> MAC:
    """CMAC (SP 800-38B) over a block cipher.

    >>> from cipherlane import algorithms, mac
    >>> tag = mac.cmac(algorithms.SM4(bytes(16)))
    >>> tag.update(b"a message")
    >>> tag.verify(tag.copy().digest())
    """
    return MAC(algorithm.member("cmac"), "cmac", _key(algorithm), tag_length=tag_length)


def gmac(algorithm: BlockCipher, iv: Buffer, *, tag_length: int | None = None) -> MAC:
    """GMAC (SP 800-38D) over a block cipher; the IV must never be used twice."""
    return MAC(algorithm.member("gmac"), "gmac", _key(algorithm), iv, tag_length=tag_length)


def eia3(key: Buffer, iv: Buffer) -> MAC:
    """128-EIA3 (3GPP TS 35.221): tags of 4 bytes. ``air.eia3_iv`` makes the IV, ``air.eia3`` the
    whole."""
    return MAC("zuc-128", "eia3", key, iv)


def zuc256(key: Buffer, iv: Buffer, tag_length: int = 16) -> MAC:
    """The MAC of ZUC-256 (2018) with tags of 4, 8 or 16 bytes."""
    if tag_length not in (4, 8, 16):
        raise ValueError(f"tag_length {tag_length}; allowed: 4, 8, 16")
    return MAC("zuc-256", f"mac{8 * tag_length}", key, iv)


def nia1(key: Buffer, iv: Buffer) -> MAC:
    """128-NIA1 and UIA2 (3GPP TS 35.215) over SNOW 3G: an IV of 16 bytes, tags of 4."""
    return MAC("snow3g", "nia1", key, iv)


def nia2(key: Buffer, iv: Buffer) -> MAC:
    """128-NIA2 (3GPP TS 33.501) over AES-128: the 8 bytes of COUNT, BEARER and DIRECTION that stand
    in front of the message are the IV; tags of 4 bytes."""
    return MAC("aes-128", "nia2", key, iv)


def nia4(key: Buffer, iv: Buffer, tag_length: int = 16) -> MAC:
    """256-NIA4 (3GPP TS 35.240) over SNOW 5G: an IV of 16 bytes, tags of 4 to 16."""
    return MAC("snow-5g", "nia4", key, iv, tag_length=tag_length)


def nia5(key: Buffer, iv: Buffer, tag_length: int = 16) -> MAC:
    """256-NIA5 (3GPP TS 35.244) over AES-256: an IV of 16 bytes, tags of 4 to 16."""
    return MAC("aes-256", "nia5", key, iv, tag_length=tag_length)


def nia6(key: Buffer, iv: Buffer, tag_length: int = 16) -> MAC:
    """256-NIA6 (3GPP): tags of 4 to 16 bytes; see ``air.assumed_nia6_iv``."""
    return MAC("zuc-256-2023", "nia6", key, iv, tag_length=tag_length)


def cbc_mac(algorithm: BlockCipher, number: int, *, tag_length: int | None = None) -> MAC:
    """A MAC of GB/T 15852.1-2020 by the number of its algorithm, with padding method 2.

    Algorithms 2, 3 and 4 take two keys, one behind the other.
    """
    operation = f"cbc-mac-{number}"
    return MAC(algorithm.member(operation), operation, _key(algorithm), tag_length=tag_length)
