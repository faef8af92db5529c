from collections.abc import Sequence
from typing import Any, TypedDict

from typing_extensions import Buffer, Self

Lengths = tuple[int, int | None, int]

class Entry(TypedDict):
    algorithm: str
    title: str
    standard: str
    timing: str
    warning: str | None
    block: int
    operation: str
    kind: str
    oid: str | None
    key: Lengths
    iv: Lengths
    usual_iv: int
    data: Lengths
    tag: Lengths
    tag_lengths: list[int]
    in_pieces: bool

class ModeRow(TypedDict):
    name: str
    ciphers: list[str]
    operation: str
    padding: str
    iv: str
    layout: str
    draws: bool
    flaws: list[tuple[str, str]]

class DialectRow(TypedDict):
    name: str
    engine: str
    ciphers: list[str]
    modes: list[ModeRow]
    key: str
    key_forms: list[str]
    digests: list[str]
    iv: str
    mac: str | None
    codings: list[str]
    text: str
    null: str
    status: str
    status_note: str | None
    notes: list[str]
    sources: list[tuple[str, str]]
    flaws: list[tuple[str, str]]

def registry() -> list[Entry]: ...
def levels() -> list[str]: ...
def level() -> str: ...

class CipherlaneError(Exception): ...
class InvalidTag(CipherlaneError): ...
class InvalidSignature(CipherlaneError): ...
class AlreadyFinalized(CipherlaneError): ...
class NotYetFinalized(CipherlaneError): ...
class AlreadyUpdated(CipherlaneError): ...
class UnsupportedAlgorithm(CipherlaneError): ...

def dialect_rows() -> list[DialectRow]: ...
def dialect_name(name: str) -> str: ...

class DialectCodec:
    def __new__(
        cls,
        dialect: str,
        key: Buffer,
        *,
        key_form: str | None = None,
        mode: str | None = None,
        iv: Buffer | None = None,
        iv_form: str | None = None,
        digest: str | None = None,
        aad: Buffer | None = None,
        coding: str | None = None,
    ) -> Self: ...
    @property
    def mode(self) -> str: ...
    @property
    def cipher(self) -> str: ...
    @property
    def coding(self) -> str: ...
    @property
    def authenticates(self) -> bool: ...
    @property
    def flaws(self) -> list[tuple[str, str]]: ...
    def value(self, value: Buffer | str | None, decrypts: bool, text: bool) -> Any: ...
    def values(
        self,
        values: Sequence[Buffer | str | None],
        decrypts: bool,
        text: bool,
        errors: str,
    ) -> tuple[list[Any], list[tuple[int, str, str]]]: ...
    def column(
        self,
        data: Any,
        offsets: Any,
        validity: Any,
        first: int,
        decrypts: bool,
        text: bool,
        errors: str,
    ) -> tuple[bytes, bytes, int, bytes | None, list[tuple[int, str, str]]]: ...

class CipherContext:
    def __new__(
        cls,
        algorithm: str,
        operation: str,
        key: Buffer,
        iv: Buffer,
        padding: str | None = None,
        *,
        effective_key_bits: int | None = None,
        word_bits: int | None = None,
        rounds: int | None = None,
    ) -> Self: ...
    def update(self, data: Buffer) -> bytes: ...
    def update_into(self, data: Buffer, buf: Buffer) -> int: ...
    def finalize(self) -> bytes: ...
    def reset_nonce(self, nonce: Buffer) -> None: ...

class AEADContext:
    def __new__(
        cls,
        algorithm: str,
        mode: str,
        key: Buffer,
        nonce: Buffer,
        encrypt: bool,
        tag: Buffer | None = None,
        tag_length: int = 16,
        lengths: tuple[int, int] | None = None,
        min_tag_length: int | None = None,
    ) -> Self: ...
    def authenticate_additional_data(self, data: Buffer) -> None: ...
    def update(self, data: Buffer) -> bytes: ...
    def update_into(self, data: Buffer, buf: Buffer) -> int: ...
    def finalize(self) -> bytes: ...
    def finalize_with_tag(self, tag: Buffer) -> bytes: ...
    def reset_nonce(self, nonce: Buffer) -> None: ...
    @property
    def tag(self) -> bytes: ...

class AEAD:
    def __new__(
        cls,
        algorithm: str,
        mode: str,
        key: Buffer,
        tag_length: int | None = None,
        *,
        allow_nonce_reuse: bool = False,
        nonce_lengths: tuple[int, int] | None = None,
    ) -> Self: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...
    def decrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...

class MAC:
    def __new__(
        cls,
        algorithm: str,
        operation: str,
        key: Buffer,
        iv: Buffer | None = None,
        *,
        tag_length: int | None = None,
        message_length: int | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    def update(self, data: Buffer) -> None: ...
    def update_bits(self, data: Buffer, bits: int) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def finalize(self) -> bytes: ...
    def verify(self, tag: Buffer) -> None: ...
    def copy(self) -> MAC: ...

class Batch:
    def __new__(
        cls,
        algorithm: str,
        operation: str,
        keys: Sequence[Buffer],
        *,
        tag_length: int | None = None,
    ) -> Self: ...
    @property
    def tag_length(self) -> int: ...
    def __len__(self) -> int: ...
    def apply(
        self,
        data: Any,
        offsets: Any,
        *,
        ivs: Any = None,
        out: Any = None,
        key_indices: Any = None,
        aad: Buffer | None = None,
        aad_offsets: Any = None,
        tags: Any = None,
    ) -> list[int]: ...

def pack_column(
    batch: Batch,
    data: Any,
    offsets: Any,
    validity: Any,
    first: int,
    aad: Any,
    aad_offsets: Any,
    ivs: Any,
    out: Any,
    out_offsets: Any,
    tag_length: int,
    block: int | None = None,
) -> int: ...
def unpack_column(
    batch: Batch,
    data: Any,
    offsets: Any,
    validity: Any,
    first: int,
    aad: Any,
    aad_offsets: Any,
    out: Any,
    out_offsets: Any,
    iv_length: int,
    tag_length: int,
    block: int | None = None,
) -> tuple[int, list[int]]: ...
def air_iv(
    operation: str, count: int, bearer: int, direction: int, tag_length: int = 16
) -> bytes: ...
def eea3_bits(
    key: Buffer, count: int, bearer: int, direction: int, data: Buffer, bits: int
) -> bytes: ...
