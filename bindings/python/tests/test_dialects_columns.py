"""Dialects on columns of Arrow and of pandas."""

import array
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from cipherlane import dialects, exceptions

SPARK = dialects.find("spark-aes").prepare(b"k" * 16)
TEXT = dialects.find("spark-aes").prepare(b"k" * 16, coding="base64", text=True)
VALUES = [None if place % 7 == 3 else "x" * (place % 90) for place in range(5000)]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()])
def test_arrays_slices_and_nulls(kind: pa.DataType) -> None:
    column = pa.array(VALUES, pa.string()).cast(kind)
    for part in (column, column[3:], column[1:2], column[5:4005], column[:0]):
        stored = SPARK.encrypt(part)
        stored.validate(full=True)
        assert stored.type == pa.binary() and stored.null_count == part.null_count
        for row, value in enumerate(stored.to_pylist()[:50]):
            plain = part[row].as_py()
            plain = plain.encode() if isinstance(plain, str) else plain
            assert SPARK.decrypt(value) == plain
        opened = SPARK.decrypt(stored)
        opened.validate(full=True)
        assert opened.equals(part.cast(pa.binary()))
        assert SPARK.decrypt(stored[3:]).equals(opened[3:])
        text = TEXT.encrypt(part)
        text.validate(full=True)
        assert text.type == pa.string()
        opened = TEXT.decrypt(text)
        opened.validate(full=True)
        assert opened.equals(part.cast(pa.string()))


def test_other_kinds_of_columns() -> None:
    values = [b"0123456789abcdef", None, b"fedcba9876543210"]
    stored = SPARK.encrypt(pa.array(values))
    for kind in (pa.binary(16), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())):
        column = pa.array(values, kind)
        assert SPARK.decrypt(SPARK.encrypt(column)).to_pylist() == values
    assert SPARK.decrypt(stored.cast(pa.binary_view())).to_pylist() == values
    assert SPARK.encrypt(pa.nulls(3)).to_pylist() == [None] * 3
    with pytest.raises(TypeError, match="a column of int64; allowed"):
        SPARK.encrypt(pa.array([1, 2]))


def test_chunks_and_their_rows() -> None:
    chunked = pa.chunked_array([VALUES[:50], [], VALUES[50:100]], pa.string())
    stored = SPARK.encrypt(chunked)
    assert stored.num_chunks == 3
    assert SPARK.decrypt(stored).cast(pa.string()).equals(chunked)
    assert SPARK.encrypt(pa.chunked_array([], pa.string())).type == pa.binary()
    values = stored.to_pylist()
    values[61] = values[61][:-1] + bytes([values[61][-1] ^ 1])
    values[0] = b"short"
    bad = pa.chunked_array([values[:50], values[50:]], pa.binary())
    done = SPARK.decrypt(bad, errors="collect")
    assert [(one.row, one.kind) for one in done.bad] == [(0, "length"), (61, "tag")]
    nulls = [row for row, value in enumerate(done.values.to_pylist()) if value is None]
    assert nulls == sorted({0, 61} | {row for row in range(100) if VALUES[row] is None})
    with pytest.raises(exceptions.InvalidValueTag, match="^row 60: ") as raised:
        SPARK.decrypt(bad[1:])
    assert raised.value.row == 60
    assert SPARK.decrypt(bad, errors="null").equals(done.values)


def test_bad_rows_of_an_array() -> None:
    values = SPARK.encrypt(pa.array(["a", None, "b", "c"])).to_pylist()
    values[2] = b""
    column = pa.array(values)
    with pytest.raises(exceptions.InvalidValue, match="row 2: ") as raised:
        SPARK.decrypt(column)
    assert raised.value.row == 2
    assert SPARK.decrypt(column, errors="null").to_pylist() == [b"a", None, None, b"c"]
    done = SPARK.decrypt(column, errors="collect")
    done.values.validate(full=True)
    assert done.values.to_pylist() == [b"a", None, None, b"c"]
    assert [(one.row, one.kind) for one in done.bad] == [(2, "length")]


def test_offsets_that_lie_are_refused() -> None:
    """A column of Arrow may come from anywhere; pyarrow itself looks at the ends alone."""
    for offsets in ([0, 7, 6], [0, 4, 2], [-1, 3, 6], [0, 3, 2**31 - 1]):
        for kind in ("i", "q"):
            given = array.array(kind, offsets)
            with pytest.raises(ValueError, match="offsets: entry"):
                SPARK._native.column(b"abcdef", given, None, 0, False, False, "raise")
    wrong = pa.py_buffer(array.array("i", [0, 7, 6]))
    with pytest.raises(ValueError, match="offsets: entry"):
        SPARK.encrypt(pa.Array.from_buffers(pa.binary(), 2, [None, wrong, pa.py_buffer(b"abcdef")]))
    with pytest.raises(ValueError, match="a bit for each value"):
        SPARK._native.column(b"", array.array("i", [0] * 10), b"\xff", 0, False, False, "raise")
    with pytest.raises(ValueError, match="4-byte or 8-byte integers"):
        SPARK._native.column(b"", b"\0" * 8, None, 0, False, False, "raise")
    with pytest.raises(ValueError, match="one or more"):
        SPARK._native.column(b"", array.array("i"), None, 0, False, False, "raise")


def test_nulls_that_hide_bytes_and_empty_texts() -> None:
    offsets = pa.py_buffer(b"".join(it.to_bytes(4, sys.byteorder) for it in (0, 3, 6)))
    column = pa.Array.from_buffers(
        pa.binary(), 2, [pa.py_buffer(b"\x02"), offsets, pa.py_buffer(b"abcdef")]
    )
    stored = SPARK.encrypt(column)
    assert stored.to_pylist()[0] is None
    assert memoryview(stored.buffers()[2]).nbytes == 12 + 3 + 16
    doris = dialects.find("doris-sm4").prepare("key", weak=True)
    stored = doris.encrypt(pa.array(["", "a", None]))
    assert [value is None for value in stored.to_pylist()] == [True, False, True]
    assert doris.decrypt(stored).to_pylist() == [None, b"a", None]


def test_series() -> None:
    index = pd.Index([f"row {place}" for place in range(6)])
    values = ["a", None, "ключ", "", float("nan"), "b"]
    kinds = ["object", "string", pd.ArrowDtype(pa.string())]
    if int(pd.__version__.split(".")[0]) > 2:
        kinds.append("str")
    for kind in kinds:
        series = pd.Series(values, index=index, name="secret", dtype=kind)
        stored = TEXT.encrypt(series)
        assert isinstance(stored, pd.Series) and stored.name == "secret"
        assert stored.index.equals(index)
        assert stored.isna().tolist() == [False, True, False, False, True, False]
        opened = TEXT.decrypt(stored)
        assert opened.isna().equals(stored.isna())
        assert opened.dropna().tolist() == ["a", "ключ", "", "b"]
        raw = SPARK.encrypt(series)
        assert raw.dtype == object
        assert SPARK.decrypt(raw).dropna().tolist() == [it.encode() for it in ("a", "ключ", "", "b")]
    stored["row 2"] = "AAAA"
    done = TEXT.decrypt(stored, errors="collect")
    assert done.values.index.equals(index) and done.values.isna()["row 2"]
    assert [(one.row, one.kind) for one in done.bad] == [(2, "length")]
    with pytest.raises(TypeError, match="row 1 is int"):
        SPARK.encrypt(pd.Series(["a", 5], dtype=object))
    assert SPARK.encrypt(pd.Series([], dtype=object)).tolist() == []


def test_random_bytes_are_bad_rows_and_no_crash() -> None:
    column = pa.array([os.urandom(place % 90) for place in range(4000)])
    for dialect in dialects.all():
        for key in (b"k" * 16, b"kkkkkkkk"):
            try:
                codec = dialect.prepare(key, iv=None, weak=True)
            except exceptions.DialectError:
                continue
            part = column[:40] if "PBKDF2" in dialect.key else column
            done = codec.decrypt(part, errors="collect")
            done.values.validate(full=True)
            assert len(done.values) == len(part)
            assert {one.row for one in done.bad} <= set(range(len(part)))
            if codec.authenticates:
                assert done.values.null_count == len(part)


def test_the_lock_is_given_away() -> None:
    """While a column is worked on, another thread goes on."""
    column = pa.array([os.urandom(64)] * 300_000)
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        for _ in range(3):
            before = ticks
            SPARK.decrypt(SPARK.encrypt(column))
            if ticks - before >= 20:
                break
    finally:
        done.set()
        thread.join()
    assert ticks - before >= 20


def test_neither_pyarrow_nor_pandas_is_imported() -> None:
    code = (
        "import sys; from cipherlane import dialects; "
        "c = dialects.find('spark-aes').prepare(bytes(16)); "
        "assert c.decrypt(c.encrypt([b'a', None])) == [b'a', None]; "
        "assert not {'pyarrow', 'pandas', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)


def test_a_salt_is_derived_once() -> None:
    codec = dialects.find("opengauss-aes128").prepare("Asdf1234", weak=True, text=True)
    stored = codec.encrypt(["a value", "another"])
    column = pa.array([stored[0]] * 20_000)
    start = time.perf_counter()
    assert codec.decrypt(column).unique().to_pylist() == ["a value"]
    # 20 000 derivations of 10 000 iterations take a minute of any core.
    assert time.perf_counter() - start < 10
    assert codec.decrypt(stored) == ["a value", "another"]
