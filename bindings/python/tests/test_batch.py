"""Many messages in one call, on Arrow and on plain buffers."""

import numpy as np
import pyarrow as pa
import pytest
from cipherlane import (
    MAC,
    Batch,
    Cipher,
    algorithms,
    encrypt_many,
    exceptions,
    modes,
    open_many,
    seal_many,
    tag_many,
)
from cipherlane.aead import SM4GCM

RANDOM = np.random.default_rng(1)
MESSAGES = [RANDOM.bytes(int(length)) for length in RANDOM.integers(0, 300, 200)]
KEYS = [RANDOM.bytes(16) for _ in range(5)]
INDICES = RANDOM.integers(0, 5, 200, dtype=np.int32)
NONCES = RANDOM.bytes(12 * 200)


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()], ids=str)
@pytest.mark.parametrize("start", [0, 7])
def test_seal_and_open(kind: pa.DataType, start: int) -> None:
    array = pa.array(MESSAGES, kind)[start:]
    nonces, indices = NONCES[12 * start :], INDICES[start:]
    sealed, tags = seal_many(
        Batch("sm4", "gcm-seal", KEYS), array, nonces, aad=b"header", key_indices=indices
    )
    sealed.validate(full=True)
    assert sealed.type == kind
    for place, (message, ciphertext, tag) in enumerate(
        zip(array.to_pylist(), sealed.to_pylist(), tags.to_pylist(), strict=True)
    ):
        nonce = nonces[12 * place : 12 * place + 12]
        key = KEYS[indices[place]]
        assert SM4GCM(key).encrypt(nonce, message, b"header") == ciphertext + tag
    batch = Batch("sm4", "gcm-open", KEYS)
    opened = open_many(batch, sealed, nonces, tags, aad=b"header", key_indices=indices)
    assert opened.to_pylist() == array.to_pylist()
    with pytest.raises(exceptions.InvalidTag, match=f"{len(array)} messages"):
        open_many(batch, sealed, nonces, tags, aad=b"other", key_indices=indices)


def test_ciphers_and_macs() -> None:
    array = pa.array(MESSAGES, pa.binary())
    ivs = RANDOM.bytes(16 * 200)
    sealed = encrypt_many(Batch("sm4", "ctr", KEYS[:1]), array, ivs).to_pylist()
    tags = tag_many(Batch("sm4", "cmac", KEYS[:1]), array).to_pylist()
    for place, message in enumerate(MESSAGES):
        mode = modes.CTR(ivs[16 * place : 16 * place + 16])
        expected = Cipher(algorithms.SM4(KEYS[0]), mode).encryptor().update(message)
        assert sealed[place] == expected
        mac = MAC("sm4", "cmac", KEYS[0])
        mac.update(message)
        mac.verify(tags[place])


def test_numpy_in_place_with_own_aad() -> None:
    data = np.frombuffer(b"".join(MESSAGES), np.uint8).copy()
    offsets = np.cumsum([0] + [len(message) for message in MESSAGES], dtype=np.int64)
    aads = [bytes([place]) * (place % 5) for place in range(200)]
    aad_offsets = np.cumsum([0] + [len(aad) for aad in aads], dtype=np.int32)
    tags = np.zeros(16 * 200, np.uint8)
    batch = Batch("sm4", "gcm-seal", KEYS[:1])
    wrong = batch.apply(
        data, offsets, ivs=NONCES, tags=tags, aad=b"".join(aads), aad_offsets=aad_offsets
    )
    assert wrong == []
    gcm = SM4GCM(KEYS[0])
    for place, message in enumerate(MESSAGES):
        nonce = NONCES[12 * place : 12 * place + 12]
        got = data[offsets[place] : offsets[place + 1]].tobytes()
        tag = tags[16 * place : 16 * place + 16].tobytes()
        assert gcm.encrypt(nonce, message, aads[place]) == got + tag
    tags[16 * 3] ^= 1
    tags[16 * 150] ^= 1
    wrong = Batch("sm4", "gcm-open", KEYS[:1]).apply(
        data, offsets, ivs=NONCES, tags=tags, aad=b"".join(aads), aad_offsets=aad_offsets
    )
    assert wrong == [3, 150]
    assert not data[offsets[3] : offsets[4]].any()
    assert data[offsets[10] : offsets[11]].tobytes() == MESSAGES[10]


def test_nothing() -> None:
    empty = pa.array([], pa.binary())
    assert len(encrypt_many(Batch("sm4", "ctr", KEYS[:1]), empty, b"")) == 0
    with pytest.raises(ValueError, match="nulls"):
        encrypt_many(Batch("sm4", "ctr", KEYS[:1]), pa.array([b"a", None]), bytes(32))
    with pytest.raises(TypeError, match="binary"):
        encrypt_many(Batch("sm4", "ctr", KEYS[:1]), pa.array([1, 2]), bytes(32))


def test_tags_have_the_length_of_the_batch() -> None:
    array = pa.array(MESSAGES)
    whole = Batch("sm4", "gcm-seal", KEYS[:1])
    short = Batch("sm4", "gcm-seal", KEYS[:1], tag_length=12)
    assert (whole.tag_length, short.tag_length) == (16, 12)
    sealed, tags = seal_many(whole, array, NONCES)
    again, cut = seal_many(short, array, NONCES)
    assert again.equals(sealed)
    assert [tag[:12] for tag in tags.to_pylist()] == cut.to_pylist()
    opening = Batch("sm4", "gcm-open", KEYS[:1], tag_length=12)
    assert open_many(opening, sealed, NONCES, cut).equals(array)
    for batch, wrong in ((Batch("sm4", "gcm-open", KEYS[:1]), cut), (opening, tags)):
        with pytest.raises(ValueError, match="tag of"):
            open_many(batch, sealed, NONCES, wrong)
    with pytest.raises(ValueError, match="tag of 12 bytes; allowed: 16"):
        seal_many(whole, array, NONCES, tag_length=12)
    with pytest.raises(ValueError, match="tag of 5 bytes; allowed: 4, 8, 12 to 16"):
        Batch("sm4", "gcm-seal", KEYS[:1], tag_length=5)
    assert Batch("sm4", "ctr", KEYS[:1]).tag_length == 0
    # The longest tag that the MAC has, without a word about it.
    eia3 = Batch("zuc-128", "eia3", KEYS[:1])
    assert tag_many(eia3, array[:5], bytes(range(80))).type == pa.binary(4)
