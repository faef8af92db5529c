"""Columns of pyarrow and of pandas, none of which is needed for the rest of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._native import DialectCodec

#: What is done with a column: a codec, whether it reads, whether what comes out is text, and what
#: becomes of bad rows.
Work = tuple["DialectCodec", bool, bool, str]

#: A column, and the bad rows with what is wrong.
Done = tuple[Any, list[tuple[int, str, str]]]


def is_array(values: Any) -> bool:
    """Whether it is an array of pyarrow, or one in chunks."""
    return hasattr(values, "type") and (hasattr(values, "buffers") or hasattr(values, "chunks"))


def is_series(values: Any) -> bool:
    """Whether it is a series of pandas."""
    return hasattr(values, "isna") and hasattr(values, "index") and hasattr(values, "tolist")


def of_array(values: Any, work: Work) -> Done:
    """The column of an array of pyarrow, or of one in chunks."""
    return _chunks(values, work) if hasattr(values, "chunks") else _array(values, work)


def _array(values: Any, work: Work) -> Done:
    import pyarrow

    from .. import arrow

    native, decrypts, is_text, errors = work
    _, given = arrow._given(_binaries(values))
    data, offsets, validity, first, *_ = given
    data, offsets, width, validity, bad = native.column(
        data, offsets, validity, first, decrypts, decrypts and is_text, errors
    )
    kinds = {
        (False, 4): pyarrow.binary(),
        (False, 8): pyarrow.large_binary(),
        (True, 4): pyarrow.string(),
        (True, 8): pyarrow.large_string(),
    }
    memory = [pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    known = None if validity is None else pyarrow.py_buffer(validity)
    kind = kinds[is_text, width]
    return pyarrow.Array.from_buffers(kind, len(values), [known, *memory]), bad


def _chunks(values: Any, work: Work) -> Done:
    import pyarrow

    made: list[Any] = []
    bad: list[tuple[int, str, str]] = []
    first = 0
    for chunk in values.chunks:
        try:
            done, wrong = _array(chunk, work)
        except Exception as error:
            _move(error, first)
            raise
        made.append(done)
        bad += [(first + row, kind, reason) for row, kind, reason in wrong]
        first += len(chunk)
    column = pyarrow.string() if work[2] else pyarrow.binary()
    wide = [chunk.type for chunk in made if str(chunk.type).startswith("large")]
    if wide:
        column, made = wide[0], [chunk.cast(wide[0]) for chunk in made]
    return pyarrow.chunked_array(made, column), bad


def of_series(values: Any, work: Work) -> Done:
    """The series of a series of pandas, with its index and its name."""
    native, decrypts, is_text, errors = work
    missing, given = values.isna().tolist(), values.tolist()
    # Both of one series, so as long as each other.
    given = [None if gone else it for gone, it in zip(missing, given)]
    made, bad = native.values(given, decrypts, decrypts and is_text, errors)
    # A column of text stays of its kind; bytes have no kind of their own in pandas.
    kind = values.dtype if is_text and str(values.dtype).startswith("str") else object
    return type(values)(made, index=values.index, name=values.name, dtype=kind), bad


def _binaries(values: Any) -> Any:
    """A column whose values lie one behind the other, as offsets tell."""
    import pyarrow

    kind = values.type
    if pyarrow.types.is_dictionary(kind):
        values = values.dictionary_decode()
        kind = values.type
    if pyarrow.types.is_null(kind) or pyarrow.types.is_fixed_size_binary(kind):
        return values.cast(pyarrow.binary())
    if str(kind) in ("binary_view", "string_view"):
        return values.cast(pyarrow.large_binary())
    return values


def _move(error: Exception, first: int) -> None:
    """Tells the row of the whole column, not of the chunk."""
    row = getattr(error, "row", None)
    if isinstance(row, int) and first:
        old, new = f"row {row}: ", f"row {first + row}: "
        error.row = first + row  # type: ignore[attr-defined]
        error.args = (new + str(error).removeprefix(old),)
