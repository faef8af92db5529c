"""Properties that hold for all messages, and agreement with other libraries."""

from collections.abc import Callable

import pytest
from cipherlane import Cipher, aead, algorithms, mac, modes
from cryptography.hazmat.decrepit.ciphers.modes import CFB as TheirCFB
from cryptography.hazmat.decrepit.ciphers.modes import OFB as TheirOFB
from cryptography.hazmat.primitives import cmac as their_cmac
from cryptography.hazmat.primitives.ciphers import Cipher as TheirCipher
from cryptography.hazmat.primitives.ciphers import aead as their_aead
from cryptography.hazmat.primitives.ciphers import algorithms as their_algorithms
from cryptography.hazmat.primitives.ciphers import modes as their_modes
from gmssl import sm4 as pure_sm4
from hypothesis import given, settings
from hypothesis import strategies as st

KEYS = st.binary(min_size=16, max_size=16)
IVS = st.binary(min_size=16, max_size=16)
NONCES = st.binary(min_size=12, max_size=12)
DATA = st.binary(max_size=600)

MODES = [
    (modes.ECB, None, True),
    (modes.CBC, their_modes.CBC, True),
    (modes.CTR, their_modes.CTR, False),
    (modes.CFB, TheirCFB, False),
    (modes.OFB, TheirOFB, False),
]


@pytest.mark.parametrize("name", ["SM4", "AES"])
@pytest.mark.parametrize(("ours", "theirs", "blocks"), MODES, ids=lambda it: str(it))
@settings(max_examples=60, deadline=None)
@given(key=KEYS, iv=IVS, data=DATA, cuts=st.lists(st.integers(0, 600), max_size=5))
def test_modes(
    name: str,
    ours: Callable[..., modes.Mode],
    theirs: Callable[..., their_modes.Mode] | None,
    blocks: bool,
    key: bytes,
    iv: bytes,
    data: bytes,
    cuts: list[int],
) -> None:
    if blocks:
        data = data[: len(data) // 16 * 16]
    mode = ours(iv) if theirs else ours()
    other_mode = theirs(iv) if theirs else their_modes.ECB()
    other = TheirCipher(getattr(their_algorithms, name)(key), other_mode).encryptor()
    expected = other.update(data) + other.finalize()
    cipher = Cipher(getattr(algorithms, name)(key), mode)
    for context, given_, wanted in (
        (cipher.encryptor(), data, expected),
        (cipher.decryptor(), expected, data),
    ):
        places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
        pieces = [
            context.update(given_[a:b]) for a, b in zip(places, places[1:], strict=False)
        ]
        assert b"".join(pieces) + context.finalize() == wanted


@settings(max_examples=100, deadline=None)
@given(key=KEYS, nonce=NONCES, data=DATA, aad=st.binary(max_size=100))
def test_aead_with_cryptography(key: bytes, nonce: bytes, data: bytes, aad: bytes) -> None:
    for ours, theirs in (
        (aead.AESGCM(key), their_aead.AESGCM(key)),
        (aead.AESCCM(key), their_aead.AESCCM(key)),
        (aead.AESGCMSIV(key), their_aead.AESGCMSIV(key)),
    ):
        sealed = theirs.encrypt(nonce, data, aad)
        assert ours.encrypt(nonce, data, aad) == sealed
        assert ours.decrypt(nonce, sealed, aad) == data
    other = TheirCipher(their_algorithms.SM4(key), their_modes.GCM(nonce)).encryptor()
    other.authenticate_additional_data(aad)
    sealed = other.update(data) + other.finalize() + other.tag
    assert aead.SM4GCM(key).encrypt(nonce, data, aad) == sealed
    buffer = bytearray(data + bytes(16))
    length = aead.SM4GCM(key).encrypt_into(nonce, memoryview(buffer)[: len(data)], aad, buffer)
    assert (length, buffer) == (len(sealed), sealed)


@settings(max_examples=60, deadline=None)
@given(key=KEYS, data=DATA)
def test_cmac_with_cryptography(key: bytes, data: bytes) -> None:
    for name in ("SM4", "AES"):
        theirs = their_cmac.CMAC(getattr(their_algorithms, name)(key))
        theirs.update(data)
        ours = mac.cmac(getattr(algorithms, name)(key))
        ours.update(data)
        ours.verify(theirs.finalize())


@settings(max_examples=20, deadline=None)
@given(key=KEYS, iv=IVS, data=st.binary(max_size=100))
def test_sm4_with_gmssl(key: bytes, iv: bytes, data: bytes) -> None:
    theirs = pure_sm4.CryptSM4()
    theirs.set_key(key, pure_sm4.SM4_ENCRYPT)
    context = Cipher(algorithms.SM4(key), modes.CBC(iv, "pkcs7")).encryptor()
    assert context.update(data) + context.finalize() == theirs.crypt_cbc(iv, data)


@pytest.mark.parametrize("padding", ["pkcs7", "iso7816"])
@settings(max_examples=60, deadline=None)
@given(key=KEYS, iv=IVS, data=DATA, cut=st.integers(0, 600))
def test_padding(padding: str, key: bytes, iv: bytes, data: bytes, cut: int) -> None:
    cipher = Cipher(algorithms.SM4(key), modes.CBC(iv, padding))
    one = cipher.encryptor()
    sealed = one.update(data) + one.finalize()
    assert len(sealed) == len(data) // 16 * 16 + 16
    two = cipher.decryptor()
    assert two.update(sealed[:cut]) + two.update(sealed[cut:]) + two.finalize() == data
    three, memory = cipher.decryptor(), bytearray(sealed)
    length = three.update_into(memory, memory)
    assert memory[:length] + three.finalize() == data


@pytest.mark.parametrize("size", [32_767, 32_768, 100_000])
def test_sizes_around_the_lock(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    gcm = aead.SM4GCM(bytes(16))
    sealed = gcm.encrypt(bytes(12), data[:size])
    assert gcm.decrypt(bytes(12), sealed) == data[:size]
