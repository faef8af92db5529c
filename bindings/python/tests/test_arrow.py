"""Columns of Arrow: every length, nulls, slices, chunks, and values that other programs read."""

import os
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest
from cipherlane import arrow, exceptions

from elsewhere import opened_elsewhere, sealed_elsewhere

KEY = bytes(range(16))
VALUES = [os.urandom(length) for length in range(101)]
FORMS = [("GCM", "DEFAULT"), ("CBC", "PKCS"), ("CBC", "NONE"), ("ECB", "PKCS"), ("ECB", "NONE")]


def fitting(padding: str) -> list[bytes]:
    return [value for value in VALUES if padding != "NONE" or (len(value) % 16 == 0 and value)]


@pytest.mark.parametrize(("mode", "padding"), FORMS)
@pytest.mark.parametrize("aad", [b"", b"a header"])
def test_every_length_both_ways(mode: str, padding: str, aad: bytes) -> None:
    values = fitting(padding)
    given = aad if mode == "GCM" else None
    sealed = arrow.encrypt(pa.array(values), KEY, mode, padding, aad=given)
    sealed.validate(full=True)
    for plain, value in zip(values, sealed.to_pylist(), strict=True):
        assert opened_elsewhere(value, mode, padding, aad, KEY) == plain
    assert arrow.decrypt(sealed, KEY, mode, padding, given).to_pylist() == values
    theirs = pa.array([sealed_elsewhere(value, mode, padding, aad, KEY) for value in values])
    opened = arrow.decrypt(theirs, KEY, mode, padding, given)
    opened.validate(full=True)
    assert opened.to_pylist() == values


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()])
@pytest.mark.parametrize("mode", ["GCM", "CBC", "ECB"])
def test_nulls_and_slices(kind: pa.DataType, mode: str) -> None:
    text = [None if place % 3 == 1 else "x" * (place % 40) for place in range(3000)]
    column = pa.array(text, pa.string()).cast(kind)
    for part in (column, column[5:], column[1:2], column[7:1007], column[:0]):
        sealed = arrow.encrypt(part, KEY, mode)
        sealed.validate(full=True)
        assert sealed.null_count == part.null_count
        opened = arrow.decrypt(sealed, KEY, mode)
        opened.validate(full=True)
        assert opened.cast(pa.large_string()).to_pylist() == part.cast(pa.large_string()).to_pylist()
        assert arrow.decrypt(sealed[3:], KEY, mode).equals(opened[3:])


def test_nulls_that_hide_bytes() -> None:
    """Arrow allows a null to have bytes: they are not encrypted, nor anything of them shown."""
    offsets = pa.py_buffer(bytes(pa.array([0, 3, 6], pa.int32()).buffers()[1])[:12])
    column = pa.Array.from_buffers(
        pa.binary(), 2, [pa.py_buffer(b"\x02"), offsets, pa.py_buffer(b"abcdef")]
    )
    assert column.to_pylist() == [None, b"def"]
    sealed = arrow.encrypt(column, KEY)
    assert sealed.to_pylist()[0] is None
    assert memoryview(sealed.buffers()[2]).nbytes == 12 + 3 + 16
    assert arrow.decrypt(sealed, KEY).to_pylist() == [None, b"def"]


def test_chunks_and_columns_of_ivs_and_aad() -> None:
    chunked = pa.chunked_array([VALUES[:50], VALUES[50:], []], pa.binary())
    sealed = arrow.encrypt(chunked, KEY)
    assert arrow.decrypt(sealed, KEY).to_pylist() == VALUES
    assert arrow.try_decrypt(sealed, KEY).to_pylist() == VALUES
    ivs = pa.array([bytes([place]) * 12 for place in range(101)])
    aads = pa.array([str(place) * (place % 7) for place in range(101)])
    column = pa.array(VALUES)
    sealed = arrow.encrypt(column, KEY, iv=ivs, aad=aads)
    for place, value in enumerate(sealed.to_pylist()):
        assert value[:12] == bytes([place]) * 12
        assert opened_elsewhere(value, "GCM", "", aads[place].as_py().encode(), KEY) == VALUES[place]
    assert arrow.decrypt(sealed, KEY, aad=aads).equals(column)
    again = arrow.encrypt(column, KEY, iv=bytes(12), aad="one for all")
    assert {value[:12] for value in again.to_pylist()} == {bytes(12)}
    assert arrow.decrypt(again, KEY, aad="one for all").equals(column)
    some = pa.array([None if place % 5 == 0 else "x" for place in range(101)])
    nonces = pa.array([None if it is None else bytes(12) for it in some.to_pylist()])
    for sealed in (arrow.encrypt(column, KEY, aad=some), arrow.encrypt(column, KEY, iv=nonces)):
        sealed.validate(full=True)
        assert sealed.is_null().equals(some.is_null())
    assert arrow.decrypt(arrow.encrypt(column, KEY, aad="x"), KEY, aad=some).is_null().equals(
        some.is_null()
    )
    with pytest.raises(TypeError, match="chunks"):
        arrow.encrypt(chunked, KEY, iv=ivs)


def test_ivs_are_drawn_for_every_value() -> None:
    for mode, length in [("GCM", 12), ("CBC", 16)]:
        sealed = arrow.encrypt(pa.array([b"same"] * 500), KEY, mode).to_pylist()
        assert len({value[:length] for value in sealed}) == 500


@pytest.mark.parametrize(("mode", "padding"), [form for form in FORMS if form[1] != "NONE"])
def test_what_was_changed_does_not_open(mode: str, padding: str) -> None:
    sealed = arrow.encrypt(pa.array(VALUES), KEY, mode, padding).to_pylist()
    column = [bytes(value) for value in sealed]
    bad = {3: b"", 10: b"\x01" * 11, 20: column[20][:-1], 60: column[60][:-16], 100: None}
    if mode == "GCM":
        for place in (5, 50, 90):
            changed = bytearray(column[place])
            changed[place % len(changed)] ^= 1
            bad[place] = bytes(changed)
    for place, value in bad.items():
        column[place] = value
    array = pa.array(column, pa.binary())
    with pytest.raises(exceptions.InvalidTag, match="do not open"):
        arrow.decrypt(array, KEY, mode, padding)
    opened = arrow.try_decrypt(array, KEY, mode, padding)
    opened.validate(full=True)
    for place, value in enumerate(opened.to_pylist()):
        if place not in bad:
            assert value == VALUES[place]
        elif mode == "GCM" or place not in (60,):
            assert value is None
    if mode == "GCM":
        wrong = arrow.try_decrypt(pa.array(sealed), bytes(16), mode)
        assert wrong.null_count == len(sealed)


def test_random_bytes_give_nulls_and_no_crash() -> None:
    column = pa.array([os.urandom(place % 90) for place in range(5000)])
    for mode in ("GCM", "CBC", "ECB"):
        opened = arrow.try_decrypt(column, KEY, mode)
        opened.validate(full=True)
        if mode == "GCM":
            assert opened.null_count == len(column)


def test_threads_share_a_key() -> None:
    column = pa.array([os.urandom(64)] * 20_000)

    def work(_: int) -> bool:
        return bool(arrow.decrypt(arrow.encrypt(column, KEY), KEY).equals(column))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(16)))


def test_other_algorithms() -> None:
    for algorithm, length in [("aes-128", 16), ("aes-256", 32)]:
        key = os.urandom(length)
        sealed = arrow.encrypt(pa.array(VALUES), key, algorithm=algorithm)
        assert arrow.decrypt(sealed, key, algorithm=algorithm).to_pylist() == VALUES


def test_misuse() -> None:
    column = pa.array([b"a", b"b"])
    for call, kind, text in [
        (lambda: arrow.encrypt(column, KEY[:15]), ValueError, "key"),
        (lambda: arrow.encrypt(column, KEY, "CTR"), ValueError, "CTR/DEFAULT; allowed: GCM/NONE"),
        (lambda: arrow.encrypt(column, KEY, "GCM", "PKCS"), ValueError, "allowed"),
        (lambda: arrow.encrypt(column, KEY, "ECB", iv=bytes(16)), ValueError, "ECB"),
        (lambda: arrow.encrypt(column, KEY, iv=bytes(16)), ValueError, "allowed: 12"),
        (lambda: arrow.encrypt(column, KEY, iv=column), ValueError, "allowed: 2 of 12"),
        (lambda: arrow.encrypt(column, KEY, "CBC", aad=b"x"), ValueError, "only for GCM"),
        (lambda: arrow.encrypt(column, KEY, aad=column[:1]), ValueError, "aad of 1 values"),
        (lambda: arrow.encrypt(pa.array([1, 2]), KEY), TypeError, "int64"),
        (lambda: arrow.encrypt(column, KEY, "CBC", "NONE"), ValueError, "multiple of 16"),
    ]:
        with pytest.raises(kind, match=text):
            call()


def test_what_is_no_array() -> None:
    column = pa.array(["a", "b"])
    chunked = pa.chunked_array([["a"], ["b"]])
    for call in (arrow.encrypt, arrow.decrypt, arrow.try_decrypt):
        for wrong in (["a"], "a", b"a", None, 5):
            with pytest.raises(TypeError, match="allowed: an array of pyarrow"):
                call(wrong, KEY)
        for aad in (["a"], 5, chunked):
            with pytest.raises(TypeError, match="aad as .*allowed: bytes"):
                call(column, KEY, aad=aad)
        with pytest.raises(TypeError, match="chunks"):
            call(chunked, KEY, aad=column)
    for iv in ([bytes(12)], "a" * 12, chunked):
        with pytest.raises(TypeError, match="iv as .*allowed: bytes"):
            arrow.encrypt(column, KEY, iv=iv)
    with pytest.raises(TypeError, match="int64 as iv"):
        arrow.encrypt(column, KEY, iv=pa.array([1, 2]))
