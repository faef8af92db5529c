"""AEADs on whole messages, in the shape of ``cryptography``'s.

``encrypt(nonce, data, associated_data)`` returns ciphertext and tag, ``decrypt`` checks the tag
first; ``encrypt_into`` and ``decrypt_into`` write to the caller's buffer, which may be the
data's own. An object refuses to encrypt twice in a row with one nonce, unless its mode bears
that (GCM-SIV, MUR) or it is told so, for measurements and known answers. Threads may share an object.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, ClassVar

from ._native import AEAD

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self


class _Named(AEAD):
    #: Names in the registry by the length of the key in bytes.
    members: ClassVar[dict[int, str]] = {}
    mode: ClassVar[str] = ""
    #: The least and the most bytes of a nonce, where that is less than the mode allows.
    nonce_lengths: ClassVar[tuple[int, int] | None] = None

    def __new__(
        cls, key: Buffer, tag_length: int | None = None, *, allow_nonce_reuse: bool = False
    ) -> Self:
        length = memoryview(key).nbytes
        member = cls.members.get(length)
        if member is None:
            allowed = ", ".join(map(str, cls.members))
            raise ValueError(f"key of {length} bytes; allowed: {allowed} bytes")
        return super().__new__(
            cls,
            member,
            cls.mode,
            key,
            tag_length,
            allow_nonce_reuse=allow_nonce_reuse,
            nonce_lengths=cls.nonce_lengths,
        )

    @classmethod
    def generate_key(cls, bit_length: int | None = None) -> bytes:
        """A random key; of the shortest length if none is given."""
        length = min(cls.members) if bit_length is None else bit_length // 8
        if length not in cls.members or (bit_length or 0) % 8:
            allowed = ", ".join(str(8 * each) for each in cls.members)
            raise ValueError(f"bit_length {bit_length}; allowed: {allowed}")
        return secrets.token_bytes(length)


_SM4 = {16: "sm4"}
_AES = {16: "aes-128", 24: "aes-192", 32: "aes-256"}
#: As ``cryptography``: short nonces repeat. :class:`AEAD` takes all that the standard allows.
_GCM_NONCES = (8, 128)


class SM4GCM(_Named):
    """SM4-GCM (RFC 8998) with nonces of 8 to 128 bytes; 12 are usual."""

    members, mode, nonce_lengths = _SM4, "gcm", _GCM_NONCES


class SM4CCM(_Named):
    """SM4-CCM (RFC 8998)."""

    members, mode = _SM4, "ccm"


class SM4GCMSIV(_Named):
    """SM4-GCM-SIV."""

    members, mode = _SM4, "gcm-siv"


class AESGCM(_Named):
    """AES-GCM (SP 800-38D) with nonces of 8 to 128 bytes; 12 are usual."""

    members, mode, nonce_lengths = _AES, "gcm", _GCM_NONCES


class AESCCM(_Named):
    """AES-CCM (SP 800-38C)."""

    members, mode = _AES, "ccm"


class AESGCMSIV(_Named):
    """AES-GCM-SIV (RFC 8452)."""

    members, mode = {16: "aes-128", 32: "aes-256"}, "gcm-siv"


class GXM(_Named):
    """GXM (GM/T 0001.4-2024): ZUC-128 with GHASH. A key of 16 bytes, or hash key and key."""

    members, mode = {16: "zuc-128", 32: "zuc-128"}, "gxm"


class MUR(_Named):
    """MUR (GM/T 0001.4-2024): ZUC-128, resistant to the misuse of nonces. A key of 16 bytes, or
    hash key and two keys."""

    members, mode = {16: "zuc-128", 48: "zuc-128"}, "mur"


class NCA6(_Named):
    """256-NCA6 (3GPP)."""

    members, mode = {32: "zuc-256-2023"}, "nca6"


class NCA5(_Named):
    """256-NCA5 (3GPP)."""

    members, mode = {32: "aes-256"}, "nca5"


class Grain128AEAD(_Named):
    """Grain-128AEADv2 (NIST Lightweight Cryptography): nonces of 12 bytes, tags of 8."""

    members, mode = {16: "grain-128aead"}, "aead"


class NCA4(_Named):
    """256-NCA4 (3GPP)."""

    members, mode = {32: "snow-5g"}, "nca4"


class SNOWVGCM(_Named):
    """SNOW-V-GCM (IACR ePrint 2018/1143)."""

    members, mode = {32: "snow-v"}, "snow-v-gcm"


class SNOWViGCM(_Named):
    """SNOW-Vi with the GCM of SNOW-V."""

    members, mode = {32: "snow-vi"}, "snow-vi-gcm"
