"""Columns of Arrow, encrypted value by value: each value becomes IV, ciphertext and tag.

That is the layout of ``aes_encrypt`` of Spark and of ``AES_ENCRYPT``-like functions elsewhere: a
value can be read on its own by any other program. Inputs are read where they lie, all results
go to one buffer, nulls stay nulls, and the values of a column go through lanes together.

>>> import os, pyarrow
>>> key = os.urandom(16)
>>> names = pyarrow.array(["Ada", None, "Grace"])
>>> decrypt(encrypt(names, key), key).cast("string").to_pylist()
['Ada', None, 'Grace']
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import Batch, pack_column, unpack_column
from .exceptions import InvalidTag

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["decrypt", "encrypt", "try_decrypt"]

#: Data, offsets, validity and its first bit; associated data and its offsets.
_Column = tuple[Any, Any, Any, int, Any, Any]

#: The most bytes that offsets of 4 bytes reach.
_NARROW = 2**31 - 1


class _Layout(NamedTuple):
    """What a value is made of, in bytes; ``block`` if it is filled up to whole blocks."""

    seal: str
    open: str
    iv: int
    tag: int
    block: int | None


#: By mode and padding, in the words of Spark.
_LAYOUTS = {
    ("GCM", "NONE"): _Layout("gcm-seal", "gcm-open", 12, 16, None),
    ("CBC", "PKCS"): _Layout("cbc-encrypt", "cbc-decrypt", 16, 0, 16),
    ("CBC", "NONE"): _Layout("cbc-encrypt", "cbc-decrypt", 16, 0, None),
    ("ECB", "PKCS"): _Layout("ecb-encrypt", "ecb-decrypt", 0, 0, 16),
    ("ECB", "NONE"): _Layout("ecb-encrypt", "ecb-decrypt", 0, 0, None),
}
_DEFAULT = {"GCM": "NONE", "CBC": "PKCS", "ECB": "PKCS"}


def _layout(mode: str, padding: str, aad: Any = None) -> _Layout:
    mode, padding = mode.upper(), padding.upper()
    if padding == "DEFAULT":
        padding = _DEFAULT.get(mode, padding)
    found = _LAYOUTS.get((mode, padding))
    if found is None:
        allowed = ", ".join(f"{mode}/{padding}" for mode, padding in _LAYOUTS)
        raise ValueError(f"mode and padding {mode}/{padding}; allowed: {allowed}")
    if aad is not None and not found.tag:
        raise ValueError(f"aad for {mode}, which has no tag; allowed: only for GCM")
    return found


#: Keys that a thread has set up: a batch is for one thread at a time.
_OWN = threading.local()


def _batch(algorithm: str, operation: str, key: bytes) -> Batch:
    """Keys are set up once for all columns of a thread."""
    made = getattr(_OWN, "made", None)
    if made is None:
        made = _OWN.made = lru_cache(maxsize=16)(_new_batch)
    found: Batch = made(algorithm, operation, key)
    return found


def _new_batch(algorithm: str, operation: str, key: bytes) -> Batch:
    return Batch(algorithm, operation, [key])


def _given(values: Any, what: str = "values") -> tuple[int, Any]:
    """The width of the offsets of a column of binaries or strings, and its memory."""
    import pyarrow

    if not isinstance(values, pyarrow.Array):
        raise TypeError(
            f"{what} as {type(values).__name__}; allowed: an array of pyarrow, "
            "which pyarrow.array makes of a list or a series"
        )
    kind = values.type
    if pyarrow.types.is_binary(kind) or pyarrow.types.is_string(kind):
        width = 4
    elif pyarrow.types.is_large_binary(kind) or pyarrow.types.is_large_string(kind):
        width = 8
    else:
        raise TypeError(f"a column of {kind}; allowed: binary, large_binary, string, large_string")
    validity, offsets, data = values.buffers()
    start, end = values.offset * width, (values.offset + len(values) + 1) * width
    view = memoryview(bytes(width) if offsets is None else offsets).cast("B")[start:end]
    integers = view.cast("i") if width == 4 else view.cast("q")
    return width, (b"" if data is None else data, integers, validity, values.offset)


def _buffer(value: Any, what: str) -> memoryview:
    """One value for all rows."""
    try:
        return memoryview(value)
    except TypeError:
        raise TypeError(
            f"{what} as {type(value).__name__}; allowed: bytes for all rows, or an array of pyarrow"
        ) from None


def _with_aad(values: Any, aad: Any) -> tuple[int, int, _Column]:
    """The width of the offsets, the bytes between them, and all that both directions need."""
    width, (data, offsets, validity, first) = _given(values)
    size = offsets[-1] - offsets[0]
    own = None
    if aad is not None and hasattr(aad, "buffers"):
        if len(aad) != len(values):
            raise ValueError(f"aad of {len(aad)} values; allowed: {len(values)}")
        _, (aad, own, _, _) = _given(aad, "aad")
    elif isinstance(aad, str):
        aad = aad.encode()
    elif aad is not None:
        aad = _buffer(aad, "aad")
    return width, size, (data, offsets, validity, first, aad, own)


def _known(values: Any, *others: Any) -> Any:
    """The column with nulls where one of the others has nulls, as SQL wants it."""
    import pyarrow
    import pyarrow.compute

    for other in others:
        if isinstance(other, pyarrow.Array) and other.null_count and len(other) == len(values):
            null = pyarrow.scalar(None, values.type)
            values = pyarrow.compute.if_else(pyarrow.compute.is_valid(other), values, null)
    return values


def _ivs(layout: _Layout, count: int, iv: Any) -> Any:
    from pyarrow import types

    if iv is None:
        return os.urandom(layout.iv * count)
    if not layout.iv:
        raise ValueError("an IV for ECB; allowed: none")
    if not hasattr(iv, "buffers"):
        iv = bytes(_buffer(iv, "iv"))
        if len(iv) != layout.iv:
            raise ValueError(f"an IV of {len(iv)} bytes; allowed: {layout.iv} bytes")
        return iv * count
    kind = iv.type
    known = types.is_binary, types.is_large_binary, types.is_fixed_size_binary
    if not any(is_one(kind) for is_one in known):
        raise TypeError(
            f"a column of {kind} as iv; allowed: binary, large_binary, fixed_size_binary"
        )
    parts = [layout.iv * b"\0" if value is None else value for value in iv.to_pylist()]
    wrong = [len(value) for value in parts if len(value) != layout.iv]
    if wrong or len(parts) != count:
        raise ValueError(f"a column of {len(parts)} IVs; allowed: {count} of {layout.iv} bytes")
    return b"".join(parts)


def _array(values: Any, validity: Any, width: int, offsets: bytearray, data: Any) -> Any:
    import pyarrow

    kind = pyarrow.binary() if width == 4 else pyarrow.large_binary()
    buffers = [validity, pyarrow.py_buffer(offsets), data]
    return pyarrow.Array.from_buffers(kind, len(values), buffers)


def _validity(values: Any) -> Any:
    """The validity of a column from its first value on, or none if all values are there."""
    import pyarrow.compute

    return pyarrow.compute.is_valid(values).buffers()[1] if values.null_count else None


def _chunks(values: Any, *columns: Any) -> Any:
    """The chunks of a column that has some; what is given beside it is for all rows then."""
    if not hasattr(values, "chunks"):
        return None
    if any(hasattr(other, "buffers") or hasattr(other, "chunks") for other in columns):
        raise TypeError("IVs or aad as a column beside a column in chunks; allowed: arrays")
    return values.chunks


def encrypt(
    values: Any,
    key: Buffer,
    mode: str = "GCM",
    padding: str = "DEFAULT",
    iv: Any = None,
    aad: Any = None,
    *,
    algorithm: str = "sm4",
) -> Any:
    """Encrypts every value of a column of binaries or strings; a column of binaries.

    ``mode`` is ``GCM``, ``CBC`` or ``ECB``, ``padding`` is ``DEFAULT``, ``PKCS`` or ``NONE``.
    A null IV or null associated data makes the value null.
    IVs are drawn unless ``iv`` is a column of them, or one for all values, which only known
    answers want. ``aad`` is one string for all values or a column.
    """
    import pyarrow

    chunks = _chunks(values, iv, aad)
    if chunks is not None:
        made = [encrypt(it, key, mode, padding, iv, aad, algorithm=algorithm) for it in chunks]
        return pyarrow.chunked_array(made, None if made else pyarrow.binary())
    layout = _layout(mode, padding, aad)
    _given(values)
    values = _known(values, iv, aad)
    width, size, given = _with_aad(values, aad)
    count = len(values)
    most = size + count * (layout.iv + layout.tag + (layout.block or 0))
    if most > _NARROW:
        width = 8
    out, offsets = pyarrow.allocate_buffer(most), bytearray(width * (count + 1))
    batch = _batch(algorithm, layout.seal, bytes(memoryview(key)))
    ivs = _ivs(layout, count, iv)
    used = pack_column(batch, *given, ivs, out, offsets, layout.tag, layout.block)
    return _array(values, _validity(values), width, offsets, out.slice(0, used))


def _decrypt(
    values: Any, key: Buffer, mode: str, padding: str, aad: Any, algorithm: str
) -> tuple[Any, list[int]]:
    import pyarrow

    layout = _layout(mode, padding, aad)
    _given(values)
    values = _known(values, aad)
    width, size, given = _with_aad(values, aad)
    out, offsets = pyarrow.allocate_buffer(size), bytearray(width * (len(values) + 1))
    batch = _batch(algorithm, layout.open, bytes(memoryview(key)))
    used, wrong = unpack_column(
        batch, *given, out, offsets, layout.iv, layout.tag, layout.block
    )
    validity = _validity(values)
    if wrong:
        bits = bytearray(b"\xff" * (len(values) // 8 + 1) if validity is None else validity)
        for place in wrong:
            bits[place // 8] &= ~(1 << place % 8)
        validity = pyarrow.py_buffer(bits)
    return _array(values, validity, width, offsets, out.slice(0, used)), wrong


def decrypt(
    values: Any,
    key: Buffer,
    mode: str = "GCM",
    padding: str = "DEFAULT",
    aad: Any = None,
    *,
    algorithm: str = "sm4",
) -> Any:
    """Decrypts every value of a column that :func:`encrypt` made; a column of binaries.

    Raises ``InvalidTag`` if a tag, a padding or a length is wrong, with the values' places.
    """
    chunks = _chunks(values, aad)
    if chunks is not None:
        import pyarrow

        made = [decrypt(it, key, mode, padding, aad, algorithm=algorithm) for it in chunks]
        return pyarrow.chunked_array(made, None if made else pyarrow.binary())
    opened, wrong = _decrypt(values, key, mode, padding, aad, algorithm)
    if wrong:
        raise InvalidTag(f"{len(wrong)} values do not open: {wrong[:10]}")
    return opened


def try_decrypt(
    values: Any,
    key: Buffer,
    mode: str = "GCM",
    padding: str = "DEFAULT",
    aad: Any = None,
    *,
    algorithm: str = "sm4",
) -> Any:
    """The same with nulls for values that do not open."""
    chunks = _chunks(values, aad)
    if chunks is not None:
        import pyarrow

        made = [try_decrypt(it, key, mode, padding, aad, algorithm=algorithm) for it in chunks]
        return pyarrow.chunked_array(made, None if made else pyarrow.binary())
    return _decrypt(values, key, mode, padding, aad, algorithm)[0]
