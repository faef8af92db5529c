"""Nothing of the registry is missing among the names that users see, and all of them work."""

import inspect

import pytest
from cipherlane import Cipher, aead, algorithms, mac, modes, registry

ENTRIES = registry()
STREAMS = [
    it
    for it in vars(algorithms).values()
    if inspect.isclass(it) and issubclass(it, algorithms.StreamCipher) and it.name
]
BLOCKS = [
    it
    for it in vars(algorithms).values()
    if inspect.isclass(it) and issubclass(it, algorithms.BlockCipher) and it.members
]
MODES = [
    it
    for it in vars(modes).values()
    if inspect.isclass(it) and issubclass(it, modes.Mode) and hasattr(it, "operations")
]
AEADS = [
    it
    for it in vars(aead).values()
    if inspect.isclass(it) and issubclass(it, aead.AEAD) and getattr(it, "mode", "")
]


def test_every_cipher_has_a_class() -> None:
    registered = {it["algorithm"] for it in ENTRIES}
    named = {it.name for it in STREAMS} | {name for it in BLOCKS for name in it.members}
    assert named == registered


def test_every_keystream_has_a_class() -> None:
    registered = {
        (it["algorithm"], it["operation"])
        for it in ENTRIES
        if it["kind"] == "cipher" and not it["block"]
    }
    assert {(it.name, it.operation) for it in STREAMS} == registered


def test_every_mode_has_a_class() -> None:
    registered = {it["operation"] for it in ENTRIES if it["kind"] == "cipher" and it["block"]}
    assert {name for it in MODES for name in it.operations} == registered


def test_every_aead_has_a_class() -> None:
    registered = {
        (it["algorithm"], it["operation"].removesuffix("-seal"))
        for it in ENTRIES
        if it["kind"] == "seal"
    }
    assert {(name, it.mode) for it in AEADS for name in it.members.values()} == registered


@pytest.mark.parametrize("cls", STREAMS, ids=lambda it: it.__name__)
def test_stream_ciphers_work(cls: type[algorithms.StreamCipher]) -> None:
    entry = next(
        it
        for it in ENTRIES
        if (it["algorithm"], it["operation"]) == (cls.name, cls.operation)
    )
    key = bytes(entry["key"][1] or entry["key"][0])
    cipher = Cipher(cls(key, bytes(entry["usual_iv"])))
    assert cipher.decryptor().update(cipher.encryptor().update(b"data")) == b"data"


@pytest.mark.parametrize("cls", AEADS, ids=lambda it: it.__name__)
def test_aeads_work(cls: type) -> None:
    one = cls(cls.generate_key())
    length = next(
        it["usual_iv"]
        for it in ENTRIES
        if it["kind"] == "seal" and it["operation"].removesuffix("-seal") == cls.mode
    )
    sealed = one.encrypt(bytes(length), b"data", b"")
    assert one.decrypt(bytes(length), sealed, None) == b"data"
    assert len(sealed) == 4 + one.tag_length


def test_modes_choose_the_member_by_the_key() -> None:
    for key in (32, 64):
        cipher = Cipher(algorithms.AES(bytes(range(key))), modes.XTS(bytes(16)))
        assert cipher.decryptor().update(cipher.encryptor().update(bytes(40))) == bytes(40)
    with pytest.raises(ValueError, match="allowed"):
        Cipher(algorithms.AES(bytes(16)), modes.XTS(bytes(16))).encryptor()


def test_macs_work() -> None:
    sm4 = algorithms.SM4(bytes(16))
    for each in (
        mac.cmac(sm4),
        mac.gmac(sm4, bytes(12)),
        mac.eia3(bytes(16), bytes(16)),
        mac.zuc256(bytes(32), bytes(23), 8),
        mac.nia6(bytes(32), bytes(16)),
        mac.cbc_mac(sm4, 1),
        mac.cbc_mac(algorithms.SM4(bytes(range(32))), 2),
    ):
        each.update(b"data")
        assert len(each.digest()) == each.digest_size
        each.verify(each.digest())


def test_documentation() -> None:
    for module in (algorithms, modes, aead, mac):
        for name, it in vars(module).items():
            if inspect.isclass(it) and it.__module__ == module.__name__ and name[0] != "_":
                assert it.__doc__, name
