"""The published vectors."""

import pytest
from cipherlane import AEAD, MAC, exceptions, registry
from cipherlane._native import AEADContext, CipherContext
from conftest import Vector, vectors

WHOLE = {
    (entry["algorithm"], entry["operation"]) for entry in registry() if not entry["in_pieces"]
}


def _context(vector: Vector, operation: str) -> CipherContext:
    return CipherContext(
        vector.algorithm, operation, vector.key, vector.iv, **vector.parameters
    )


@pytest.mark.parametrize("vector", vectors("cipher"), ids=str)
def test_cipher(vector: Vector) -> None:
    context = _context(vector, vector.operation)
    assert context.update(vector.input) + context.finalize() == vector.output
    data = bytearray(vector.output)
    context = _context(vector, vector.inverse)
    assert context.update_into(data, data) == len(data)
    assert context.finalize() == b""
    assert data == vector.input
    if (vector.algorithm, vector.operation) in WHOLE:
        return
    for size in (1, 7, 16, 100):
        context.reset_nonce(vector.iv)
        pieces = [
            context.update(memoryview(vector.output)[at : at + size])
            for at in range(0, len(vector.output), size)
        ]
        assert b"".join(pieces) + context.finalize() == vector.input


@pytest.mark.parametrize("vector", vectors("keystream"), ids=str)
def test_keystream(vector: Vector) -> None:
    context = _context(vector, vector.operation)
    context.update(bytes(vector.offset))
    assert context.update(bytes(len(vector.output))) == vector.output


@pytest.mark.parametrize("vector", vectors("aead"), ids=str)
def test_aead(vector: Vector) -> None:
    if not vector.valid:
        with pytest.raises((ValueError, exceptions.InvalidTag)):
            aead = AEAD(vector.algorithm, vector.operation, vector.key, len(vector.tag))
            aead.decrypt(vector.iv, vector.output + vector.tag, vector.aad)
        return
    aead = AEAD(vector.algorithm, vector.operation, vector.key, len(vector.tag))
    sealed = vector.output + vector.tag
    assert aead.encrypt(vector.iv, vector.input, vector.aad) == sealed
    assert aead.decrypt(vector.iv, sealed, vector.aad) == vector.input
    buffer = bytearray(sealed)
    length = aead.decrypt_into(vector.iv, buffer, vector.aad, buffer)
    assert buffer[:length] == vector.input
    buffer = bytearray(sealed)
    buffer[-1] ^= 1
    with pytest.raises(exceptions.InvalidTag):
        aead.decrypt_into(vector.iv, buffer, vector.aad, memoryview(buffer))
    assert not any(buffer[: len(vector.output)])


PIECES = {
    (entry["algorithm"], entry["operation"].removesuffix("-seal"))
    for entry in registry()
    if entry["kind"] == "seal" and entry["in_pieces"]
}


@pytest.mark.parametrize(
    "vector",
    [it for it in vectors("aead") if it.valid and (it.algorithm, it.operation) in PIECES],
    ids=str,
)
def test_aead_in_pieces(vector: Vector) -> None:
    lengths = (len(vector.aad), len(vector.input))
    common = (vector.algorithm, vector.operation, vector.key, vector.iv)
    seal = AEADContext(*common, True, None, len(vector.tag), lengths)
    open_ = AEADContext(*common, False, vector.tag, len(vector.tag), lengths)
    for context, given, expected in (
        (seal, vector.input, vector.output),
        (open_, vector.output, vector.input),
    ):
        for at in range(0, len(vector.aad), 5):
            context.authenticate_additional_data(vector.aad[at : at + 5])
        pieces = [context.update(given[at : at + 13]) for at in range(0, len(given), 13)]
        assert b"".join(pieces) + context.finalize() == expected
    assert seal.tag == vector.tag


@pytest.mark.parametrize("vector", vectors("mac"), ids=str)
def test_mac(vector: Vector) -> None:
    length = len(vector.input) if vector.operation.endswith("pad3") else None

    def make() -> MAC:
        return MAC(
            vector.algorithm,
            vector.operation,
            vector.key,
            vector.iv,
            tag_length=len(vector.tag),
            message_length=length,
        )

    if not vector.valid:
        with pytest.raises((ValueError, exceptions.InvalidSignature)):
            mac = make()
            mac.update(vector.input)
            mac.verify(vector.tag)
        return
    if vector.bits is not None:
        mac = make()
        mac.update_bits(vector.input, vector.bits)
        assert mac.digest() == vector.tag
        return
    for end in (MAC.digest, MAC.finalize):
        mac = make()
        mac.update(vector.input[:10])
        mac.update(vector.input[10:])
        assert end(mac) == vector.tag
    for tag, right in (
        (vector.tag, True),
        (bytes([vector.tag[0] ^ 1]) + vector.tag[1:], False),
        (vector.tag[:-1], False),
        (vector.tag + b"0", False),
    ):
        mac = make()
        mac.update(vector.input)
        if right:
            mac.verify(tag)
        else:
            with pytest.raises(exceptions.InvalidSignature):
                mac.verify(tag)
    if not vector.iv:
        _goes_on(make(), vector)


def _goes_on(mac: MAC, vector: Vector) -> None:
    mac.update(vector.input[:10])
    copy = mac.copy()
    for each in (mac, copy):
        each.update(vector.input[10:])
        assert each.digest() == vector.tag
        assert each.hexdigest() == vector.tag.hex()
        each.verify(vector.tag)
