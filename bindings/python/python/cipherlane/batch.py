"""Many messages in one call, on arrays of Arrow: data is read where it lies, not copied.

Messages are a ``pyarrow`` array of type ``binary`` or ``large_binary``; results have the same
offsets. Nonces are one array of bytes, one behind the other: ``numpy``, ``bytes``, or a
``pyarrow`` array of fixed-size binaries. Tags have the length that the batch was made for.
:class:`cipherlane.Batch` does the same on plain buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._native import Batch
from .exceptions import InvalidTag

if TYPE_CHECKING:
    from typing_extensions import Buffer


def _parts(array: Any) -> tuple[Any, memoryview, Any]:
    """The type, offsets and data of an array of binaries."""
    import pyarrow

    if not isinstance(array, pyarrow.Array):
        raise TypeError(
            f"messages as {type(array).__name__}; allowed: an array of pyarrow, "
            "which pyarrow.array makes of a list"
        )
    kind = array.type
    if pyarrow.types.is_binary(kind) or pyarrow.types.is_string(kind):
        wide = False
    elif pyarrow.types.is_large_binary(kind) or pyarrow.types.is_large_string(kind):
        wide = True
    else:
        raise TypeError(f"an array of {kind}; allowed: binary, large_binary, string, large_string")
    if array.null_count:
        raise ValueError(f"an array with {array.null_count} nulls; allowed: none")
    _, offsets, data = array.buffers()
    width = 8 if wide else 4
    start, end = array.offset * width, (array.offset + len(array) + 1) * width
    view = memoryview(bytes(width) if offsets is None else offsets).cast("B")[start:end]
    return kind, view.cast("q") if wide else view.cast("i"), b"" if data is None else data


def _bytes(values: Any) -> Any:
    """The bytes of an array of fixed-size binaries, or what is a buffer anyway."""
    if not hasattr(values, "buffers") or not hasattr(values, "type"):
        return values
    if values.null_count:
        raise ValueError(f"an array with {values.null_count} nulls; allowed: none")
    try:
        width = values.type.byte_width
    except ValueError:
        text = f"an array of {values.type}; allowed: binaries of a fixed size, or bytes"
        raise TypeError(text) from None
    start = values.offset * width
    return memoryview(values.buffers()[1])[start : start + len(values) * width]


def _array(kind: Any, offsets: memoryview, data: bytearray) -> Any:
    import pyarrow

    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(kind, len(offsets) - 1, buffers)


def _plain(kind: Any) -> Any:
    import pyarrow

    large = pyarrow.types.is_large_binary(kind) or pyarrow.types.is_large_string(kind)
    return pyarrow.large_binary() if large else pyarrow.binary()


def encrypt_many(batch: Batch, messages: Any, ivs: Any, *, key_indices: Any = None) -> Any:
    """Ciphers every message, in the direction of the batch; without tags."""
    kind, offsets, data = _parts(messages)
    out = bytearray(memoryview(data).nbytes)
    batch.apply(data, offsets, ivs=_bytes(ivs), out=out, key_indices=key_indices)
    return _array(_plain(kind), offsets, out)


def seal_many(
    batch: Batch,
    messages: Any,
    nonces: Any,
    *,
    aad: Buffer | None = None,
    tag_length: int | None = None,
    key_indices: Any = None,
) -> tuple[Any, Any]:
    """Encrypts every message; ciphertexts, and tags as an array of fixed-size binaries."""
    import pyarrow

    kind, offsets, data = _parts(messages)
    out = bytearray(memoryview(data).nbytes)
    tag_length = batch.tag_length if tag_length is None else tag_length
    tags = bytearray(tag_length * (len(offsets) - 1))
    batch.apply(
        data, offsets, ivs=_bytes(nonces), out=out, aad=aad, tags=tags, key_indices=key_indices
    )
    made = [None, pyarrow.py_buffer(tags)]
    array = pyarrow.Array.from_buffers(pyarrow.binary(tag_length), len(offsets) - 1, made)
    return _array(_plain(kind), offsets, out), array


def open_many(
    batch: Batch,
    messages: Any,
    nonces: Any,
    tags: Any,
    *,
    aad: Buffer | None = None,
    key_indices: Any = None,
) -> Any:
    """Decrypts every message; raises ``InvalidTag`` that names the messages that are wrong."""
    kind, offsets, data = _parts(messages)
    out = bytearray(memoryview(data).nbytes)
    wrong = batch.apply(
        data,
        offsets,
        ivs=_bytes(nonces),
        out=out,
        aad=aad,
        tags=_bytes(tags),
        key_indices=key_indices,
    )
    if wrong:
        raise InvalidTag(f"the tags of {len(wrong)} messages are wrong: {wrong[:10]}")
    return _array(_plain(kind), offsets, out)


def tag_many(
    batch: Batch,
    messages: Any,
    ivs: Any = None,
    *,
    tag_length: int | None = None,
    key_indices: Any = None,
) -> Any:
    """The tags of a MAC for every message, as an array of fixed-size binaries."""
    import pyarrow

    _, offsets, data = _parts(messages)
    tag_length = batch.tag_length if tag_length is None else tag_length
    tags = bytearray(tag_length * (len(offsets) - 1))
    batch.apply(data, offsets, ivs=_bytes(ivs), tags=tags, key_indices=key_indices)
    made = [None, pyarrow.py_buffer(tags)]
    return pyarrow.Array.from_buffers(pyarrow.binary(tag_length), len(offsets) - 1, made)
