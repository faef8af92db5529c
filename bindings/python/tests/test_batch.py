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
