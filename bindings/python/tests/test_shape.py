"""Nothing of the registry is missing among the names that users see, and all of them work."""

import copy
import inspect
import pickle

import pytest
from cipherlane import Cipher, aead, algorithms, exceptions, mac, modes, registry

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
    # Its header and its data have no boundary that the tag tells: it is there as a batch only.
    registered -= {("zuc-128", "eea3+eia3"), ("snow3g", "nea1+nia1"), ("aes-128", "nea2+nia2")}
    with pytest.raises(exceptions.UnsupportedAlgorithm):
        aead.AEAD("zuc-128", "eea3+eia3", bytes(32))
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
        mac.nia1(bytes(16), bytes(16)),
        mac.nia2(bytes(16), bytes(8)),
        mac.nia4(bytes(32), bytes(16)),
        mac.nia5(bytes(32), bytes(16)),
        mac.nia6(bytes(32), bytes(16)),
        mac.cbc_mac(sm4, 1),
        mac.cbc_mac(algorithms.SM4(bytes(range(32))), 2),
    ):
        each.update(b"data")
        assert len(each.finalize()) == each.digest_size


def test_gcm_takes_the_lengths_of_cryptography() -> None:
    for cls in (aead.SM4GCM, aead.AESGCM):
        for length in (8, 12, 128):
            one = cls(bytes(16))
            assert one.decrypt(bytes(length), one.encrypt(bytes(length), b"data")) == b"data"
        for length in (0, 1, 7, 129):
            one, nonce, memory = cls(bytes(16)), bytes(length), bytearray(20)
            with pytest.raises(ValueError, match=f"nonce of {length} bytes; allowed: 8 to 128"):
                one.encrypt(nonce, b"data")
            with pytest.raises(ValueError, match="allowed: 8 to 128"):
                one.encrypt_into(nonce, b"data", None, memory)
            with pytest.raises(ValueError, match="allowed: 8 to 128"):
                one.decrypt(nonce, bytes(20))
            with pytest.raises(ValueError, match="allowed: 8 to 128"):
                one.decrypt_into(nonce, bytes(20), None, memory)
            with pytest.raises(ValueError, match="allowed: 8 to 128"):
                modes.GCM(nonce)
    # By name there is all that the standard allows.
    assert aead.AEAD("sm4", "gcm", bytes(16)).encrypt(b"1", b"data")


@pytest.mark.parametrize("cls", [*BLOCKS, *STREAMS], ids=lambda it: it.__name__)
def test_keys_stay_where_they_are(cls: type) -> None:
    key = bytes(range(200, 232))[: next(length for length in (16, 32, 10) if _takes(cls, length))]
    one = cls(key)
    assert key.hex() not in repr(one)
    assert repr(key)[2:-1] not in repr(one)
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="key"):
            leak(one)
    with pytest.raises(TypeError, match="key"):
        pickle.dumps([Cipher(one, modes.ECB()) if cls in BLOCKS else Cipher(one)])


def _takes(cls: type, length: int) -> bool:
    try:
        cls(bytes(length))
    except ValueError:
        return False
    return True


def test_a_member_of_a_family_is_never_another_one() -> None:
    """What has no way to be told so is refused, not computed with the usual member."""
    for algorithm in (algorithms.RC2(bytes(16), 64), algorithms.RC5(bytes(16), rounds=16)):
        with pytest.raises(exceptions.UnsupportedAlgorithm, match="usual"):
            mac.cmac(algorithm)
        with pytest.raises(exceptions.UnsupportedAlgorithm, match="usual"):
            Cipher(algorithm, modes.GCM(bytes(12)))


def test_registry_tells_the_tags_that_are_allowed() -> None:
    tags = {(it["algorithm"], it["operation"]): it["tag_lengths"] for it in ENTRIES}
    assert tags["sm4", "gcm-seal"] == tags["sm4", "gcm-open"] == [4, 8, 12, 13, 14, 15, 16]
    assert tags["sm4", "ccm-seal"] == [4, 6, 8, 10, 12, 14, 16]
    assert tags["sm4", "gcm-siv-open"] == [16]
    assert tags["sm4", "ctr"] == []
    for entry in ENTRIES:
        if entry["kind"] == "seal" and "+" not in entry["operation"]:
            for length in range(18):
                key = bytes(range(entry["key"][0]))
                mode = entry["operation"].removesuffix("-seal")
                try:
                    made = aead.AEAD(entry["algorithm"], mode, key, length)
                except ValueError:
                    made = None
                assert (made is not None) == (length in entry["tag_lengths"]), (entry, length)
        if entry["kind"] == "mac":
            for length in range(18):
                key, iv = bytes(range(entry["key"][0])), bytes(entry["usual_iv"])
                try:
                    one = mac.MAC(
                        entry["algorithm"], entry["operation"], key, iv, tag_length=length
                    )
                except ValueError:
                    one = None
                assert (one is not None) == (length in entry["tag_lengths"]), (entry, length)


def test_documentation() -> None:
    for module in (algorithms, modes, aead, mac):
        for name, it in vars(module).items():
            if inspect.isclass(it) and it.__module__ == module.__name__ and name[0] != "_":
                assert it.__doc__, name
