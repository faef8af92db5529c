"""Algorithms for :class:`cipherlane.Cipher`: block ciphers, which need a mode, and stream ciphers.

Each takes its key, a stream cipher its nonce or IV besides. Lengths are in bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NoReturn

from ._native import registry
from ._owned import owned
from .exceptions import UnsupportedAlgorithm

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The lengths of keys by algorithm and operation: the least, the most, the step.
_KEYS = {(entry["algorithm"], entry["operation"]): entry["key"] for entry in registry()}


def _allows(lengths: tuple[int, int | None, int], length: int) -> bool:
    least, most, step = lengths
    inside = least <= length and (most is None or length <= most)
    return length == least or (inside and step > 0 and (length - least) % step == 0)


class _Keyed:
    """Holds a key: is shown without it, and is neither copied nor written anywhere."""

    key: bytes

    @property
    def key_size(self) -> int:
        """The length of the key in bits."""
        return 8 * len(self.key)

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"{name} holds a key: it can be neither pickled nor copied")


class BlockCipher(_Keyed):
    """A block cipher under a key. XTS and some others take two keys, one behind the other."""

    #: Names in the registry; they differ in the length of the key.
    members: ClassVar[tuple[str, ...]] = ()
    #: The lengths of keys that some operation takes; found once, for there are many operations.
    _lengths: ClassVar[frozenset[int]] = frozenset()
    #: The member by operation and length of the key, as far as it was asked for.
    _known: ClassVar[dict[tuple[str, int], str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        known = [lengths for pair, lengths in _KEYS.items() if pair[0] in cls.members]
        cls._lengths = frozenset(
            length
            for least, most, step in known
            for length in range(least, (most or least) + 1, step or 1)
        )
        cls._known = {}

    def __init__(self, key: Buffer) -> None:
        self.key = key = owned(key)
        if len(key) not in self._lengths:
            allowed = ", ".join(map(str, sorted(self._lengths)))
            raise ValueError(f"key of {len(key)} bytes; allowed: {allowed} bytes")

    def member(self, operation: str) -> str:
        """The member whose operation takes a key of this length."""
        asked = operation, len(self.key)
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = self._find(operation)
        return found

    def _find(self, operation: str) -> str:
        known = [name for name in self.members if (name, operation) in _KEYS]
        for name in known:
            if _allows(_KEYS[name, operation], len(self.key)):
                return name
        if not known:
            raise UnsupportedAlgorithm(f"{type(self).__name__} has no operation {operation}")
        allowed = ", ".join(str(_KEYS[name, operation][0]) for name in known)
        raise ValueError(
            f"key of {len(self.key)} bytes for {operation}; allowed: {allowed} bytes"
        )

    def parameters(self) -> dict[str, int]:
        """What tells a member of a family from the usual one."""
        return {}


class _Family(BlockCipher):
    """Ciphers that take keys of many lengths; the library says which."""

    def __init__(self, key: Buffer) -> None:
        self.key = owned(key)

    def _find(self, operation: str) -> str:
        if (self.members[0], operation) not in _KEYS:
            raise UnsupportedAlgorithm(f"{type(self).__name__} has no operation {operation}")
        return self.members[0]


class SM4(BlockCipher):
    """SM4 (GB/T 32907-2016): a key of 16 bytes. Constant-time."""

    members = ("sm4",)


class AES(BlockCipher):
    """AES (FIPS 197): a key of 16, 24 or 32 bytes. Constant-time."""

    members = ("aes-128", "aes-192", "aes-256")


class IDEA(BlockCipher):
    """IDEA: a key of 16 bytes, blocks of 8."""

    members = ("idea",)


class RC2(_Family):
    """RC2 (RFC 2268): a key of 1 to 128 bytes, blocks of 8. Its time depends on secrets."""

    members = ("rc2",)

    def __init__(self, key: Buffer, effective_key_bits: int | None = None) -> None:
        super().__init__(key)
        self.effective_key_bits = effective_key_bits

    def parameters(self) -> dict[str, int]:
        bits = self.effective_key_bits
        return {} if bits is None else {"effective_key_bits": bits}


class RC5(_Family):
    """RC5 (RFC 2040): a key of 0 to 255 bytes; words of 16, 32 or 64 bits, 0 to 255 rounds."""

    members = ("rc5",)

    def __init__(
        self, key: Buffer, word_bits: int | None = None, rounds: int | None = None
    ) -> None:
        super().__init__(key)
        self.word_bits, self.rounds = word_bits, rounds

    def parameters(self) -> dict[str, int]:
        given = {"word_bits": self.word_bits, "rounds": self.rounds}
        return {name: value for name, value in given.items() if value is not None}


class StreamCipher(_Keyed):
    """A stream cipher under a key and a nonce, which must never be used twice under one key."""

    #: The name in the registry.
    name: ClassVar[str] = ""
    #: Which of its keystreams.
    operation: ClassVar[str] = "keystream"

    def __init__(self, key: Buffer, nonce: Buffer = b"") -> None:
        if not self.name:
            raise UnsupportedAlgorithm("this class is the base of stream ciphers")
        self.key, self.nonce = owned(key), owned(nonce)


class ZUC128(StreamCipher):
    """ZUC-128 (GB/T 33133.1-2016): key and IV of 16 bytes. Constant-time."""

    name = "zuc-128"


class EEA3(ZUC128):
    """128-EEA3 (3GPP TS 35.221): a key of 16 bytes, and the IV that ``air.eea3_iv`` makes of
    COUNT, BEARER and DIRECTION."""

    operation = "eea3"


class ZUC256(StreamCipher):
    """ZUC-256 (2018): a key of 32 bytes, an IV of 23. Constant-time."""

    name = "zuc-256"


class ZUC256Of2021(StreamCipher):
    """ZUC-256 with the initialisation of 2021 (ePrint 2021/1439)."""

    name = "zuc-256-2021"


class ZUC256Of2023(StreamCipher):
    """ZUC-256 with the initialisation of 2023."""

    name = "zuc-256-2023"


class NEA6(ZUC256Of2023):
    """256-NEA6 (3GPP): a key of 32 bytes, an IV of 16; see ``air.assumed_nea6_iv``."""

    operation = "nea6"


class SNOW3G(StreamCipher):
    """SNOW 3G (3GPP TS 35.216): key and IV of 16 bytes. Constant-time."""

    name = "snow3g"


class NEA1(SNOW3G):
    """128-NEA1 and UEA2 (3GPP TS 35.215): a key of 16 bytes, and the IV of COUNT, BEARER and
    DIRECTION, which is that of 128-EEA3: ``air.eea3_iv``."""

    operation = "nea1"


class SNOWV(StreamCipher):
    """SNOW-V (IACR ePrint 2018/1143): a key of 32 bytes, an IV of 16. Constant-time."""

    name = "snow-v"


class SNOWVi(StreamCipher):
    """SNOW-Vi (IACR ePrint 2021/236): a key of 32 bytes, an IV of 16. Constant-time."""

    name = "snow-vi"


class SNOW5G(StreamCipher):
    """SNOW 5G (3GPP TS 35.240): a key of 32 bytes, an IV of 16. Constant-time."""

    name = "snow-5g"


class NEA4(SNOW5G):
    """256-NEA4 (3GPP TS 35.240): a key of 32 bytes, an IV of 16."""

    operation = "nea4"


class MICKEY2(StreamCipher):
    """MICKEY 2.0 (eSTREAM): a key of 10 bytes."""

    name = "mickey2"


class MICKEY128(StreamCipher):
    """MICKEY-128 2.0 (eSTREAM): a key of 16 bytes."""

    name = "mickey-128"


class Trivium(StreamCipher):
    """Trivium (ISO/IEC 29192-3): a key of 10 bytes."""

    name = "trivium"


class GrainV1(StreamCipher):
    """Grain v1 (eSTREAM): a key of 10 bytes, an IV of 8."""

    name = "grain-v1"


class Grain128(StreamCipher):
    """Grain-128: a key of 16 bytes, an IV of 12."""

    name = "grain-128"


class Grain128AEADOutput(StreamCipher):
    """The pre-output of Grain-128AEADv2, which nothing is encrypted with: see
    :class:`cipherlane.aead.Grain128AEAD`."""

    name = "grain-128aead"


class Enocoro128(StreamCipher):
    """Enocoro-128v2: a key of 16 bytes, an IV of 8."""

    name = "enocoro-128"


class HC128(StreamCipher):
    """HC-128 (eSTREAM): key and IV of 16 bytes. Its time depends on secrets."""

    name = "hc-128"


class Rabbit(StreamCipher):
    """Rabbit (RFC 4503): a key of 16 bytes, an IV of 8 or none."""

    name = "rabbit"


class Salsa20_8(StreamCipher):
    """Salsa20/8."""

    name = "salsa20-8"


class Salsa20_12(StreamCipher):
    """Salsa20/12 (eSTREAM)."""

    name = "salsa20-12"


class Salsa20(StreamCipher):
    """Salsa20/20."""

    name = "salsa20-20"


class Sosemanuk(StreamCipher):
    """Sosemanuk (eSTREAM)."""

    name = "sosemanuk"


class RC4(StreamCipher):
    """RC4: a key of 1 to 256 bytes. Broken."""

    name = "rc4"


def _class_name(*names: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in "-".join(names).split("-"))


def _others(written: list[type]) -> dict[str, type]:
    """Classes for the ciphers of the registry that none is written for: ``speck-128`` is
    ``Speck128``, and another keystream of it has the operation's name behind that."""
    blocks = {name for it in written if issubclass(it, BlockCipher) for name in it.members}
    streams = {(it.name, it.operation) for it in written if issubclass(it, StreamCipher)}
    others: dict[str, type] = {}
    for entry in registry():
        algorithm, operation = entry["algorithm"], entry["operation"]
        about = {"__doc__": f"{entry['title']} ({entry['standard']}).", "__module__": __name__}
        if entry["kind"] != "cipher":
            continue
        if entry["block"] and algorithm not in blocks:
            base = BlockCipher if entry["key"][2] == 0 else _Family
            name = _class_name(algorithm)
            others[name] = type(name, (base,), {**about, "members": (algorithm,)})
        elif not entry["block"] and (algorithm, operation) not in streams:
            more = () if operation == StreamCipher.operation else (operation,)
            name = _class_name(algorithm, *more)
            named = {"name": algorithm, "operation": operation}
            others[name] = type(name, (StreamCipher,), {**about, **named})
    return others


globals().update(_others([it for it in globals().values() if isinstance(it, type)]))
