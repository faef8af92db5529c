"""Wrong names, keys, settings and values of dialects: typed errors, and nothing secret in them."""

import copy
import os
import pickle
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pytest
from cipherlane import dialects, exceptions

SPARK = dialects.find("spark-aes").prepare(b"k" * 16)
MYSQL = dialects.find("mysql-aes").prepare("key", weak=True)


@pytest.mark.parametrize(
    ("name", "settings", "error", "field", "value", "allowed"),
    [
        ("spark-aes", {"key": bytes(15)}, "InvalidSetting", "key", "15 bytes", "16, 24, 32 bytes"),
        ("spark-aes", {"mode": "CTR"}, "UnknownMode", "mode", "CTR", "GCM, CBC, ECB"),
        ("spark-aes", {"coding": "base63"}, "InvalidSetting", "coding", "base63", "raw, base64"),
        ("spark-aes", {"iv": bytes(11)}, "InvalidSetting", "IV", "11 bytes", "12 bytes"),
        ("spark-aes", {"mode": "ECB", "aad": b"a"}, "InvalidSetting", "associated data", "given", "none"),
        ("spark-aes", {"digest": "md5"}, "InvalidSetting", "digest", "MD5", "none"),
        ("spark-aes", {"digest": "md6"}, "InvalidSetting", "digest", "md6", "SHA-512"),
        ("spark-aes", {"key_form": "hex"}, "InvalidSetting", "key form", "hex", "text"),
        ("spark-aes", {"key_form": "octal"}, "InvalidSetting", "key form", "octal", "base64, bytes"),
        ("mysql-aes", {"mode": "aes-128-cbc"}, "InvalidSetting", "IV", "missing", "16 bytes or more"),
        ("opengauss-sm4", {"key": "short"}, "InvalidSetting", "key", "5 bytes", "8 to 16 bytes"),
        ("opengauss-sm4", {"coding": "raw"}, "InvalidSetting", "coding", "raw", "base64"),
        ("yashandb-sm4", {"key": "no digits", "iv": "00"}, "InvalidSetting", "key", "", "hexadecimal"),
        ("mysql-aes", {"key": "\ud800"}, "InvalidSetting", "key", None, "UTF-8"),
        ("mysql-aes", {"iv": "\ud800"}, "InvalidSetting", "IV", None, "UTF-8"),
    ],
)
def test_settings(
    name: str, settings: dict[str, Any], error: str, field: str, value: str | None, allowed: str
) -> None:
    given = {"key": bytes(16), "weak": True, **settings}
    key = given.pop("key")
    with pytest.raises(exceptions.DialectError) as raised:
        dialects.find(name).prepare(key, **given)
    got = raised.value
    assert type(got) is getattr(exceptions, error)
    assert isinstance(got, exceptions.CipherlaneError)
    assert isinstance(got, exceptions.UnsupportedAlgorithm if error == "UnknownMode" else ValueError)
    assert (got.field, got.row) == (field, None)
    assert allowed in got.allowed and got.remedy and got.remedy in str(got)
    assert value is None or value in (got.value or "")


def test_names() -> None:
    with pytest.raises(exceptions.UnknownDialect, match="did you mean doris-sm4") as raised:
        dialects.find("doris")
    assert (raised.value.value, raised.value.allowed) == ("doris", "doris-sm4")
    for wrong in (None, 5, b"spark-aes"):
        with pytest.raises(TypeError):
            dialects.find(wrong)  # type: ignore[arg-type]
    with pytest.raises(exceptions.UnknownDialect):
        dialects.find("")


@pytest.mark.parametrize("wrong", [5, 1.5, object(), {"a": 1}, {1}, range(3)])
def test_types(wrong: object) -> None:
    with pytest.raises(TypeError, match="allowed: bytes, str, None"):
        SPARK.encrypt(wrong)
    with pytest.raises(TypeError, match="row 1 is .*allowed: bytes, str, or None"):
        SPARK.decrypt([b"", wrong])
    for array in (numpy.array([b"a", "b"], object), numpy.arange(3), numpy.array(["a"])):
        with pytest.raises((TypeError, ValueError), match="allowed: bytes, str|unsupported format"):
            SPARK.encrypt(array)
        with pytest.raises((TypeError, ValueError), match="row 0 is ndarray"):
            SPARK.encrypt([array])
    assert SPARK.decrypt(SPARK.encrypt(numpy.frombuffer(b"abc", numpy.uint8))) == b"abc"
    for field in ("key", "iv", "aad"):
        settings: dict[str, Any] = {"key": bytes(16), field: wrong}
        with pytest.raises((TypeError, AttributeError)):
            dialects.find("spark-aes").prepare(settings.pop("key"), **settings)
    with pytest.raises(TypeError):
        dialects.find("spark-aes").prepare(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='errors is .*allowed: "raise", "null", "collect"'):
        SPARK.encrypt(b"", errors="ignore")  # type: ignore[arg-type]


def test_nothing_and_empty() -> None:
    assert SPARK.encrypt(None) is None and SPARK.decrypt(None) is None
    assert SPARK.encrypt([]) == [] and SPARK.decrypt(()) == ()
    assert SPARK.encrypt([None, None]) == [None, None]
    assert SPARK.encrypt([], errors="collect") == ([], [])
    assert SPARK.decrypt(SPARK.encrypt(b"")) == b""
    assert SPARK.decrypt(None, errors="collect") == (None, [])
    # An engine that has NULL for the empty text.
    doris = dialects.find("doris-sm4").prepare("key", weak=True)
    assert doris.encrypt("") is None and doris.decrypt(["", b""]) == [None, None]


def test_memory() -> None:
    data = bytearray(os.urandom(200))
    stored = SPARK.encrypt(data)
    for view in (stored, bytearray(stored), memoryview(stored)):
        assert SPARK.decrypt(view) == data
        assert SPARK.decrypt([view]) == [data]
    with pytest.raises(BufferError, match="not contiguous"):
        SPARK.encrypt(memoryview(data)[::2])
    with pytest.raises(BufferError, match="not contiguous"):
        SPARK.encrypt([b"", memoryview(data)[::2]])
    assert SPARK.decrypt(SPARK.encrypt(memoryview(data)[10:20])) == data[10:20]
    released = memoryview(data)
    released.release()
    with pytest.raises(ValueError, match="released"):
        SPARK.encrypt(released)
    with pytest.raises(ValueError, match="released"):
        SPARK.encrypt([released])
    key = bytearray(b"k" * 16)
    codec = dialects.find("spark-aes").prepare(key)
    key[:] = bytes(16)
    del key
    assert codec.decrypt(stored) == data
    view = memoryview(b"k" * 16)
    codec = dialects.find("spark-aes").prepare(view)
    view.release()
    assert codec.decrypt(stored) == data
    with pytest.raises(ValueError, match="released"):
        dialects.find("spark-aes").prepare(view)
    with pytest.raises(BufferError, match="not contiguous"):
        dialects.find("spark-aes").prepare(memoryview(bytes(32))[::2])


def test_long_values() -> None:
    data = os.urandom(32 << 20)
    assert SPARK.decrypt(SPARK.encrypt(data)) == data
    codec = dialects.find("mysql-aes").prepare("key", coding="hex", weak=True)
    assert codec.decrypt(codec.encrypt([data]))[0] == data
    with pytest.raises(exceptions.InvalidSetting):
        dialects.find("spark-aes").prepare(data)
    folded = dialects.find("mysql-aes").prepare(data, weak=True)
    assert folded.decrypt(folded.encrypt(b"value")) == b"value"


def test_bad_values() -> None:
    good = SPARK.encrypt([b"a", b"b", b"c", b"d"])
    changed = bytes([good[1][0] ^ 1]) + good[1][1:]
    values = [good[0], changed, None, good[2][:20], good[3]]
    with pytest.raises(exceptions.InvalidValueTag, match="row 1: the tag or MAC") as raised:
        SPARK.decrypt(values)
    assert raised.value.row == 1
    assert isinstance(raised.value, exceptions.InvalidTag)
    with pytest.raises(exceptions.InvalidTag) as raised:
        SPARK.decrypt(changed)
    assert isinstance(raised.value, exceptions.InvalidValueTag) and raised.value.row is None
    assert SPARK.decrypt(values, errors="null") == [b"a", None, None, None, b"d"]
    done = SPARK.decrypt(values, errors="collect")
    assert done.values == [b"a", None, None, None, b"d"]
    assert [(bad.row, bad.kind) for bad in done.bad] == [(1, "tag"), (3, "length")]
    assert all("; " in bad.reason for bad in done.bad)
    assert SPARK.decrypt(changed, errors="null") is None
    assert SPARK.decrypt(changed, errors="collect").bad[0].kind == "tag"
    with pytest.raises(exceptions.InvalidPadding):
        MYSQL.decrypt(bytes(16))
    text = dialects.find("opengauss-sm4").prepare("Asdf1234", weak=True)
    done = text.encrypt(["fine", "a\0b", None], errors="collect")
    assert [(bad.row, bad.kind) for bad in done.bad] == [(1, "zero byte")]
    assert text.decrypt(done.values) == [b"fine", None, None]
    done = text.decrypt(["no Base64!", "AAAA", "значение"], errors="collect")
    assert [bad.kind for bad in done.bad] == ["coding", "length", "coding"]
    none = dialects.find("pgcrypto-aes").prepare(b"key", mode="aes-cbc/pad:none", weak=True)
    with pytest.raises(exceptions.InvalidValue, match="row 2: .*multiple of 16"):
        none.encrypt([bytes(16), None, bytes(17)])


def test_what_is_no_text() -> None:
    codec = dialects.find("spark-aes").prepare(b"k" * 16, text=True)
    values = [SPARK.encrypt(value) for value in ("ключ".encode(), b"ab\xff", b"")]
    assert codec.decrypt(values, errors="null") == ["ключ", None, ""]
    with pytest.raises(exceptions.InvalidValue, match="row 1: .*no UTF-8 at place 2"):
        codec.decrypt(values)
    with pytest.raises(exceptions.InvalidValue, match="text=False"):
        codec.decrypt(values[1])
    assert codec.decrypt(values, errors="collect").bad[0][:2] == (1, "text")


def test_the_first_bad_row_is_told_whoever_finds_it() -> None:
    """Threads come to rows out of their order."""
    values = SPARK.encrypt([os.urandom(100)] * 30_000)
    for row in (29_999, 20_011, 9_000, 2_047, 3):
        values[row] = values[row][:-1] + bytes([values[row][-1] ^ 1])
        with pytest.raises(exceptions.InvalidValueTag) as raised:
            SPARK.decrypt(values)
        assert raised.value.row == row
    assert [bad.row for bad in SPARK.decrypt(values, errors="collect").bad] == [
        3, 2_047, 9_000, 20_011, 29_999,
    ]  # fmt: skip


def test_threads_share_a_codec() -> None:
    values = [os.urandom(place % 300) for place in range(5_000)]

    def work(_: int) -> bool:
        return bool(SPARK.decrypt(SPARK.encrypt(values)) == values)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(12)))


def test_keys_stay_where_they_are() -> None:
    secret = "Asdf1234Geheim"
    codec = dialects.find("opengauss-sm4").prepare(secret, weak=True)
    assert secret not in repr(codec) and "opengauss-sm4" in repr(codec)
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        for one in (codec, codec._native):
            with pytest.raises(TypeError):
                leak(one)
    for wrong in ("Geheim!", secret * 2):
        for name in ("opengauss-sm4", "yashandb-sm4", "vastbase-hive-sm4-gcm", "hutool-sm4"):
            for form in (None, "hex", "base64"):
                try:
                    dialects.find(name).prepare(wrong, key_form=form, weak=True)
                except exceptions.DialectError as error:
                    assert wrong not in "".join(traceback.format_exception_only(error))
                    assert wrong not in str(vars(error))
    with pytest.raises(exceptions.InvalidSetting) as raised:
        dialects.find("mysql-aes").prepare("Geheim\udc80")
    assert "Geheim" not in repr(raised.value.__cause__) + str(vars(raised.value))


def test_exceptions_can_be_sent_to_other_processes() -> None:
    with pytest.raises(exceptions.InvalidValueTag) as raised:
        SPARK.decrypt([bytes(40)])
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is exceptions.InvalidValueTag
    assert (str(again), again.row, again.remedy) == (str(raised.value), 0, raised.value.remedy)
    dialect = pickle.loads(pickle.dumps(dialects.find("spark-aes")))
    assert dialect == dialects.find("spark-aes")
