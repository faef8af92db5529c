"""Modes of operation for the block ciphers of :mod:`cipherlane.algorithms`.

IVs and nonces are one block unless a class says otherwise. CBC, ECB and BC take whole blocks;
``padding`` is ``"pkcs7"`` or ``"iso7816"`` and is taken off in constant time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ._owned import owned

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Mode:
    """A mode with an IV and perhaps padding."""

    #: Names of the operations that encrypt and that decrypt.
    operations: ClassVar[tuple[str, str]]

    def __init__(self, iv: Buffer, padding: str | None = None) -> None:
        self.iv = owned(iv)
        self.padding = padding


class ECB(Mode):
    """ECB (GB/T 17964-2021 §6): equal blocks stay equal; for single blocks only."""

    operations = ("ecb-encrypt", "ecb-decrypt")

    def __init__(self, padding: str | None = None) -> None:
        super().__init__(b"", padding)


class CBC(Mode):
    """CBC (GB/T 17964-2021 §7)."""

    operations = ("cbc-encrypt", "cbc-decrypt")


class BC(Mode):
    """BC, block chaining (GB/T 17964-2021)."""

    operations = ("bc-encrypt", "bc-decrypt")


class _Stream(Mode):
    def __init__(self, iv: Buffer) -> None:
        super().__init__(iv)


class CTR(_Stream):
    """CTR (GB/T 17964-2021 §10): the IV is the first counter, as wide as a block."""

    operations = ("ctr", "ctr")


class CTR32(_Stream):
    """CTR of which only the last 32 bits count, as inside GCM."""

    operations = ("ctr32", "ctr32")


class CFB(_Stream):
    """CFB with feedback of whole blocks (GB/T 17964-2021 §8)."""

    operations = ("cfb-encrypt", "cfb-decrypt")


class CFB1(_Stream):
    """CFB with feedback of one bit, the most significant of a byte first."""

    operations = ("cfb1-encrypt", "cfb1-decrypt")


class CFB8(_Stream):
    """CFB with feedback of 8 bits."""

    operations = ("cfb8-encrypt", "cfb8-decrypt")


class OFB(_Stream):
    """OFB (GB/T 17964-2021 §9)."""

    operations = ("ofb", "ofb")


class NEA2(_Stream):
    """128-NEA2 (3GPP TS 33.501) over AES-128, from its first counter block."""

    operations = ("nea2", "nea2")


class NEA5(_Stream):
    """256-NEA5 (3GPP TS 35.244) over AES-256, with an IV of 16 bytes."""

    operations = ("nea5", "nea5")


class XTS(_Stream):
    """XTS of IEEE 1619: a key of twice the length, a tweak, one data unit in one ``update``."""

    operations = ("xts-encrypt", "xts-decrypt")


class XTSGB(_Stream):
    """XTS of GB/T 17964-2021, whose tweaks run the other way."""

    operations = ("xts-gb-encrypt", "xts-gb-decrypt")


class HCTR(_Stream):
    """HCTR (GB/T 17964-2021): a key and a block more, a message in one ``update``."""

    operations = ("hctr-encrypt", "hctr-decrypt")


class OFBNLF(_Stream):
    """OFBNLF (GB/T 17964-2021): whole blocks in one ``update``."""

    operations = ("ofbnlf-encrypt", "ofbnlf-decrypt")


class Tagged:
    """A mode with a tag."""

    #: Its name in the registry.
    name: ClassVar[str]

    nonce: bytes
    #: The tag of a message to decrypt, unless ``finalize_with_tag`` gets it.
    tag: bytes | None
    #: The length of tags that are made, and the longest that is accepted, in bytes.
    tag_length: int
    #: The shortest that is accepted.
    min_tag_length: int
    #: Associated data and message, in bytes, where that must be known beforehand.
    lengths: tuple[int, int] | None = None


class GCM(Tagged):
    """GCM (SP 800-38D) with a nonce of 8 to 128 bytes; 12 are usual.

    For decryption give the tag here or to ``finalize_with_tag``. Tags have 16 bytes, or
    ``tag_length``: 4, 8 or 12 to 16. Decryption refuses every other length, for who may shorten
    a tag has less to guess; with ``min_tag_length`` it takes tags from that length on, as
    ``cryptography`` does.
    """

    name = "gcm"

    def __init__(
        self,
        nonce: Buffer,
        tag: Buffer | None = None,
        min_tag_length: int = 16,
        *,
        tag_length: int | None = None,
    ) -> None:
        self.nonce = nonce = owned(nonce)
        if not 8 <= len(nonce) <= 128:
            raise ValueError(f"nonce of {len(nonce)} bytes; allowed: 8 to 128 bytes")
        if not 4 <= min_tag_length <= 16:
            raise ValueError(f"min_tag_length {min_tag_length}; allowed: 4 to 16")
        if tag_length is None:
            self.tag_length, self.min_tag_length = 16, min_tag_length
        else:
            self.tag_length = self.min_tag_length = tag_length
        self.tag = None if tag is None else owned(tag)


class CCM(Tagged):
    """CCM (SP 800-38C), which needs to know the lengths of message and associated data.

    Tags have 16 bytes, or ``tag_length``: 4, 6, 8, 10, 12, 14; decryption refuses others.
    """

    name = "ccm"

    def __init__(
        self,
        nonce: Buffer,
        message_length: int,
        associated_data_length: int = 0,
        tag: Buffer | None = None,
        tag_length: int = 16,
    ) -> None:
        self.nonce = owned(nonce)
        self.tag = None if tag is None else owned(tag)
        self.tag_length = self.min_tag_length = tag_length
        self.lengths = (associated_data_length, message_length)
