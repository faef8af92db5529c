"""Dialects: every vector, what others write and read, and what each says of itself."""

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from cipherlane import dialects, exceptions
from cipherlane.dialects import Codec

from dialects_elsewhere import Rule, rules

ROWS = Path(__file__).parents[3] / "crates/dialects/tests/data/dialects.json"
FILE = json.loads(ROWS.read_text())
TESTS = [(group, test) for group in FILE["groups"] for test in group["tests"]]


def coding(group: dict[str, Any], test: dict[str, Any]) -> str | None:
    words = (test.get("output_encoding") or group.get("output_encoding") or "").lower()
    if "when the key" in words:
        return None
    found = [(word, name) for word, name in CODINGS if word in words]
    return found[0][1] if found else None


CODINGS = [("base64", "base64"), ("upper", "hex-upper"), ("hex", "hex")]


def prepared(group: dict[str, Any], test: dict[str, Any]) -> Codec:
    dialect = dialects.find(group["mode"])
    mode = test.get("mode", test.get("type"))
    if "cipher" in test:
        mode = f"{test['cipher']}/{mode}"
    if "padmode" in test:
        mode = f"padmode={test['padmode']}"
    named = [it for it in dialect.modes if mode and it.name.lower() == mode.lower()]
    drawn = named[0].draws if named else mode is None and dialect.modes[0].draws

    def given(name: str) -> bytes | str | None:
        return bytes.fromhex(test[name]) if name in test else test.get(f"{name}_text")

    key = given("key")
    return dialect.prepare(
        b"" if key is None else key,
        key_form=test.get("key_form"),
        mode=mode,
        iv=None if drawn else given("iv"),
        digest=test.get("md"),
        aad=bytes.fromhex(test.get("aad", "")),
        coding=None if dialect.codings[0] == "as-key" else coding(group, test),
        weak=True,
    )


def as_text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")


@pytest.mark.parametrize(("group", "test"), TESTS, ids=[test["id"] for _, test in TESTS])
def test_vectors(group: dict[str, Any], test: dict[str, Any]) -> None:
    dialect = dialects.find(group["mode"])
    plain = bytes.fromhex(test.get("plaintext", ""))
    match test.get("expect"):
        case None:
            codec = prepared(group, test)
            stored = test["stored"]
            if codec.coding == "raw":
                stored = stored.encode()
            assert codec.decrypt(stored) == plain
            assert codec.decrypt([stored, None, stored]) == [plain, None, plain]
            written = codec.encrypt([plain])[0]
            draws = [it.draws for it in dialect.modes if it.name == codec.mode][0]
            if draws or "salt" in test:
                assert written != stored and len(written) == len(stored)
                assert codec.decrypt(written) == plain
            else:
                assert written == stored == codec.encrypt(plain)
        case "null" if any(test.get(f"{name}_null") for name in ("key", "iv")):
            assert dialect.null.startswith("NULL in any argument gives NULL")
        case "null" if test.get("plaintext_null"):
            assert dialect.null.startswith("NULL in any argument gives NULL")
            assert prepared(group, test).encrypt([None, plain])[0] is None
        case "null":
            try:
                assert prepared(group, test).encrypt(plain) is None
            except exceptions.UnknownMode as error:
                assert "the engine gives NULL" in str(error)
        case "error" if test.get("operation") == "decrypt":
            codec = prepared(group, test)
            with pytest.raises(exceptions.InvalidValue):
                codec.decrypt(test["stored"])
        case "error":
            with pytest.raises(exceptions.DialectError):
                prepared(group, test).encrypt(plain)


def test_all_vectors_are_there() -> None:
    assert len(TESTS) == 499
    assert sum("expect" not in test for _, test in TESTS) == 439
    assert {group["mode"] for group in FILE["groups"]} == {it.name for it in dialects.all()}


@pytest.mark.parametrize("rule", rules(), ids=str)
def test_what_others_write_and_read(rule: Rule) -> None:
    settings = dict(rule.settings)
    dialect = dialects.find(rule.dialect)
    codec = dialect.prepare(settings.pop("key"), mode=rule.mode, coding=rule.coding, weak=True, **settings)
    slow = "PBKDF2" in dialect.key
    # What an engine has NULL for is no value.
    shortest = 1 if "so does an empty text" in dialect.null else 0
    lengths = [shortest, 1, 15, 16, 17, 31, 33, 64, 300, 5000] if not slow else [0, 1, 16, 40]
    numbers = random.Random(str(rule))
    plains = [bytes(numbers.randrange(1, 256) for _ in range(length)) for length in lengths]
    theirs = [rule.write(plain) for plain in plains]
    assert codec.decrypt(theirs) == plains
    assert [codec.decrypt(stored) for stored in theirs] == plains
    ours = codec.encrypt(plains)
    assert [rule.read(as_text(stored).encode("latin-1")) for stored in ours] == plains
    assert rule.read(as_text(codec.encrypt(plains[-1])).encode("latin-1")) == plains[-1]


def test_what_is_told() -> None:
    every = dialects.all()
    assert len(every) == 16
    for dialect in every:
        assert dialects.find(dialect.name.upper()) == dialect
        assert dialect.modes and dialect.sources and dialect.codings and dialect.key_forms
        assert dialect.status in ("published", "computed")
        assert repr(dialect) == f"cipherlane.dialects.find('{dialect.name}')"
        for mode in dialect.modes:
            assert mode.ciphers and set(mode.ciphers) <= set(dialect.ciphers)
            assert set(mode.flaws) <= set(dialect.flaws)
    spark = dialects.find("spark-aes")
    assert [mode.name for mode in spark.modes] == ["GCM", "CBC", "ECB"]
    assert spark.modes[0].flaws == () and spark.modes[0].draws
    assert spark.modes[0].layout == "IV(12) ‖ ciphertext ‖ tag(16)"
    assert [flaw.name for flaw in spark.modes[2].flaws] == ["no-integrity", "ecb"]
    assert dialects.find("shardingsphere-digest").digests[0] == "SHA-1"
    assert "HMAC-SHA-1" in (dialects.find("opengauss-aes128").mac or "")


def test_what_lacks_something_is_warned_of_and_not_written() -> None:
    doris = dialects.find("doris-sm4")
    with pytest.warns(exceptions.WeakDialectWarning, match="ECB: equal blocks show"):
        codec = doris.prepare("key", coding="base64")
    stored = doris.prepare("key", coding="base64", weak=True).encrypt("value")
    assert codec.decrypt(stored) == b"value"
    with pytest.raises(exceptions.WeakDialect, match="is weak: .*weak=True") as raised:
        codec.encrypt("value")
    assert raised.value.field == "weak" and raised.value.remedy
    assert isinstance(raised.value, ValueError)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        doris.prepare("key", weak=True)
        sealed = dialects.find("spark-aes").prepare(bytes(16))
    assert sealed.flaws == () and sealed.authenticates and sealed.cipher == "aes-128"
    assert sealed.decrypt(sealed.encrypt("value")) == b"value"
    # An IV that is given can be given twice.
    with pytest.warns(exceptions.WeakDialectWarning, match="given twice"):
        dialects.find("spark-aes").prepare(bytes(16), iv=bytes(12))


def test_texts_and_bytes() -> None:
    """A text is the engine's argument, bytes are the key itself."""
    yashan = dialects.find("yashandb-sm4")
    digits = "12345678901234567890123456789012"
    stored = "94131D3841F5DEDA81F7651CD7C2CF63"
    for key in (digits, bytes.fromhex(digits), bytearray.fromhex(digits)):
        for iv in (digits, memoryview(bytes.fromhex(digits))):
            codec = yashan.prepare(key, iv=iv, weak=True, text=True)
            assert codec.decrypt(stored) == codec.decrypt(stored.encode()) == "abc"
            assert codec.encrypt("abc") == codec.encrypt(b"abc") == stored
    form = yashan.prepare(digits.encode(), key_form="hex", iv=digits, weak=True)
    assert form.decrypt(stored) == b"abc"
    text = dialects.find("mysql-aes").prepare("ключ", weak=True, text=True)
    assert text.decrypt(text.encrypt("значение")) == "значение"
    assert isinstance(text.encrypt(""), bytes) and text.decrypt(text.encrypt("")) == ""
