"""Wrong calls raise what Python's users expect, and never crash."""

import threading

import pytest
from cipherlane import MAC, Batch, Cipher, algorithms, exceptions, mac, modes
from cipherlane._native import CipherContext
from cipherlane.aead import MUR, SM4GCM

SM4 = algorithms.SM4(bytes(16))


def test_lengths() -> None:
    with pytest.raises(ValueError, match="key of 15 bytes; allowed: 16"):
        algorithms.SM4(bytes(15))
    with pytest.raises(ValueError, match="key of 17 bytes"):
        SM4GCM(bytes(17))
    with pytest.raises(ValueError, match="iv of 15 bytes; allowed: 16"):
        Cipher(SM4, modes.CBC(bytes(15))).encryptor()
    with pytest.raises(ValueError, match="nonce of 0 bytes"):
        SM4GCM(bytes(16)).encrypt(b"", b"")
    with pytest.raises(ValueError, match="tag of 3 bytes"):
        SM4GCM(bytes(16), 3)
    context = Cipher(SM4, modes.CBC(bytes(16))).encryptor()
    context.update(bytes(15))
    with pytest.raises(ValueError, match="multiple of 16"):
        context.finalize()


@pytest.mark.parametrize("wrong", [None, 5, "text", 1.5, [1, 2]])
def test_types(wrong: object) -> None:
    context = Cipher(SM4, modes.CTR(bytes(16))).encryptor()
    with pytest.raises(TypeError):
        context.update(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SM4GCM(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SM4GCM(bytes(16)).encrypt(bytes(12), wrong)  # type: ignore[arg-type]


def test_negative_and_huge_numbers() -> None:
    with pytest.raises(OverflowError):
        SM4GCM(bytes(16), -1)
    with pytest.raises(OverflowError):
        SM4GCM(bytes(16), 1 << 70)
    with pytest.raises(OverflowError):
        MAC("sm4", "cmac", bytes(16), tag_length=-5)
    with pytest.raises(ValueError, match="tag of 99"):
        MAC("sm4", "cmac", bytes(16), tag_length=99)


def test_after_the_end() -> None:
    for mode in (modes.CTR(bytes(16)), modes.CBC(bytes(16)), modes.GCM(bytes(12))):
        context = Cipher(SM4, mode).encryptor()
        context.finalize()
        with pytest.raises(exceptions.AlreadyFinalized):
            context.update(b"")
        with pytest.raises(exceptions.AlreadyFinalized):
            context.finalize()


def test_order() -> None:
    context = Cipher(SM4, modes.GCM(bytes(12))).encryptor()
    with pytest.raises(exceptions.NotYetFinalized):
        _ = context.tag
    context.update(b"data")
    with pytest.raises(exceptions.AlreadyUpdated):
        context.authenticate_additional_data(b"late")
    xts = Cipher(algorithms.SM4(bytes(range(32))), modes.XTS(bytes(16))).encryptor()
    xts.update(bytes(20))
    with pytest.raises(exceptions.AlreadyUpdated):
        xts.update(bytes(20))
    with pytest.raises(ValueError, match="tag"):
        Cipher(SM4, modes.GCM(bytes(12))).decryptor().finalize()


def test_names() -> None:
    with pytest.raises(exceptions.UnsupportedAlgorithm):
        CipherContext("sm5", "ctr", bytes(16), bytes(16))
    with pytest.raises(exceptions.UnsupportedAlgorithm):
        CipherContext("sm4", "nope", bytes(16), bytes(16))
    with pytest.raises(exceptions.UnsupportedAlgorithm, match="no padding of sm4/ctr .* `pkcs7`"):
        CipherContext("sm4", "ctr", bytes(16), bytes(16), "pkcs7")
    with pytest.raises(exceptions.UnsupportedAlgorithm):
        CipherContext("sm4", "cbc-encrypt", bytes(16), bytes(16), "pkcs8")
    with pytest.raises(TypeError):
        Cipher(SM4, None)  # type: ignore[call-overload]


def test_tags() -> None:
    gcm = SM4GCM(bytes(16))
    for data in (b"", bytes(15), bytes(40)):
        with pytest.raises(exceptions.InvalidTag):
            gcm.decrypt(bytes(12), data, None)
    context = Cipher(SM4, modes.GCM(bytes(12), tag=bytes(16))).decryptor()
    context.update(b"data")
    with pytest.raises(exceptions.InvalidTag):
        context.finalize()
    for wrong in (0, 4, 12, 15, 17):
        with pytest.raises(ValueError, match=f"tag of {wrong} bytes; allowed: 16 bytes"):
            Cipher(SM4, modes.GCM(bytes(12), bytes(wrong))).decryptor()
        context = Cipher(SM4, modes.GCM(bytes(12))).decryptor()
        with pytest.raises(ValueError, match=f"tag of {wrong} bytes; allowed: 16 bytes"):
            context.finalize_with_tag(bytes(wrong))
    with pytest.raises(ValueError, match="a tag is given"):
        Cipher(SM4, modes.GCM(bytes(12), bytes(16))).encryptor()
    with pytest.raises(ValueError, match="padding"):
        context = Cipher(SM4, modes.CBC(bytes(16), "pkcs7")).decryptor()
        context.update(bytes(16))
        context.finalize()


def _sealed(mode: modes.GCM) -> tuple[bytes, bytes]:
    context = Cipher(SM4, mode).encryptor()
    return context.update(b"data") + context.finalize(), context.tag


def test_tags_have_the_length_that_was_asked_for() -> None:
    sealed, tag = _sealed(modes.GCM(bytes(12)))
    assert len(tag) == 16
    for length in (4, 8, 12, 13, 14, 15):
        assert _sealed(modes.GCM(bytes(12), tag_length=length))[1] == tag[:length]
        for mode in (
            modes.GCM(bytes(12), tag[:length], tag_length=length),
            modes.GCM(bytes(12), tag[:length], min_tag_length=length),
            modes.GCM(bytes(12), tag[:length], 4),
        ):
            context = Cipher(SM4, mode).decryptor()
            assert context.update(sealed) + context.finalize() == b"data"
        for late in (
            modes.GCM(bytes(12), tag_length=length),
            modes.GCM(bytes(12), min_tag_length=length),
        ):
            context = Cipher(SM4, late).decryptor()
            assert context.update(sealed) + context.finalize_with_tag(tag[:length]) == b"data"
        # Neither a shorter one nor, where one length was asked for, a longer one.
        for wrong in (tag[: length - 1], tag):
            with pytest.raises(ValueError, match=f"allowed: {length} bytes"):
                mode = modes.GCM(bytes(12), wrong, tag_length=length)
                Cipher(SM4, mode).decryptor()
    for wrong_length in (0, 3, 5, 6, 7, 9, 10, 11, 17):
        for make in ("encryptor", "decryptor"):
            with pytest.raises(ValueError, match="allowed: 4, 8, 12 to 16 bytes"):
                getattr(Cipher(SM4, modes.GCM(bytes(12), tag_length=wrong_length)), make)()
    for least in (-1, 0, 3, 17):
        with pytest.raises(ValueError, match="min_tag_length"):
            modes.GCM(bytes(12), min_tag_length=least)


def _macs_with_an_iv() -> list[MAC]:
    return [
        mac.gmac(SM4, bytes(12)),
        mac.eia3(bytes(16), bytes(16)),
        mac.zuc256(bytes(32), bytes(23), 8),
        mac.nia6(bytes(32), bytes(16)),
    ]


@pytest.mark.parametrize("end", ["digest", "hexdigest", "finalize", "verify"])
@pytest.mark.parametrize("place", range(4))
def test_an_iv_serves_one_tag(place: int, end: str) -> None:
    one = _macs_with_an_iv()[place]
    one.update(b"a message")
    with pytest.raises(exceptions.UnsupportedAlgorithm, match="IV"):
        one.copy()
    if end == "verify":
        with pytest.raises(exceptions.InvalidSignature):
            one.verify(bytes(one.digest_size))
    else:
        getattr(one, end)()
    for again in (
        lambda: one.update(b"another"),
        lambda: one.update_bits(b"another", 5),
        one.digest,
        one.hexdigest,
        one.finalize,
        one.copy,
        lambda: one.verify(bytes(16)),
    ):
        with pytest.raises(exceptions.AlreadyFinalized):
            again()


def test_macs_without_an_iv_end_as_in_cryptography() -> None:
    one = mac.cmac(SM4)
    one.update(b"a message")
    tag = one.digest()
    assert one.digest() == tag
    one.copy().verify(tag)
    other = one.copy()
    assert other.finalize() == tag
    for ended in (one, other):
        if ended is one:
            with pytest.raises(exceptions.InvalidSignature, match="tag of 4 bytes; allowed: 16"):
                ended.verify(tag[:4])
        for call in (ended.digest, ended.finalize, ended.copy, lambda: ended.update(b"")):
            with pytest.raises(exceptions.AlreadyFinalized):
                call()


def test_nonces() -> None:
    gcm = SM4GCM(bytes(16))
    gcm.encrypt(bytes(12), b"one")
    with pytest.raises(ValueError, match="nonce"):
        gcm.encrypt(bytes(12), b"two")
    gcm.encrypt(bytes(11) + b"1", b"two")
    context = Cipher(SM4, modes.GCM(bytes(12))).encryptor()
    context.finalize()
    with pytest.raises(ValueError, match="nonce"):
        context.reset_nonce(bytes(12))
    mur = MUR(bytes(range(16)))
    assert mur.encrypt(bytes(16), b"one") == mur.encrypt(bytes(16), b"one")


def test_buffers() -> None:
    context = Cipher(SM4, modes.CTR(bytes(16))).encryptor()
    memory = bytearray(64)
    with pytest.raises(ValueError, match="overlap"):
        context.update_into(memoryview(memory)[1:33], memory)
    with pytest.raises(ValueError, match="output of 3 bytes"):
        context.update_into(bytes(4), bytearray(3))
    with pytest.raises(BufferError):
        context.update_into(bytes(4), bytes(4))
    with pytest.raises(BufferError):
        context.update(memoryview(memory)[::2])
    # A block that was held back makes the output longer than the input.
    for mode in (modes.CBC(bytes(16)), modes.ECB()):
        apart, inside = Cipher(SM4, mode).encryptor(), Cipher(SM4, mode).encryptor()
        room = bytearray(b"b" * 64)
        assert apart.update(b"a" * 15) == inside.update(b"a" * 15) == b""
        assert inside.update_into(memoryview(room)[:34], room) == 48
        assert room[:48] == apart.update(b"b" * 34)
        with pytest.raises(ValueError, match="output of 15 bytes; allowed: 16"):
            inside.update_into(memoryview(room)[:15], memoryview(room)[:15])
    gcm = SM4GCM(bytes(16))
    with pytest.raises(ValueError, match="buf of 19 bytes; allowed: 20"):
        gcm.encrypt_into(bytes(12), b"data", None, bytearray(19))
    with pytest.raises(ValueError, match="overlap"):
        gcm.encrypt_into(memoryview(memory)[8:20], memoryview(memory)[:48], None, memory)


def test_batches() -> None:
    import struct

    offsets = memoryview(struct.pack("3i", 0, 4, 8)).cast("i")
    batch = Batch("sm4", "ctr", [bytes(16)])
    data = bytearray(8)
    for wrong in ((0, 4, 9), (4, 0, 8), (-1, 4, 8), (0, 9, 8)):
        with pytest.raises(ValueError, match="offset"):
            batch.apply(data, memoryview(struct.pack("3i", *wrong)).cast("i"), ivs=bytes(32))
    with pytest.raises(ValueError, match="ivs"):
        batch.apply(data, offsets, ivs=bytes(33))
    with pytest.raises(ValueError, match="iv of 8"):
        batch.apply(data, offsets, ivs=bytes(16))
    with pytest.raises(IndexError):
        keys = memoryview(struct.pack("2i", 0, 1)).cast("i")
        batch.apply(data, offsets, ivs=bytes(32), key_indices=keys)
    with pytest.raises(ValueError, match="offsets"):
        batch.apply(data, b"bytes", ivs=bytes(32))
    with pytest.raises(BufferError):
        batch.apply(bytes(8), offsets, ivs=bytes(32))
    with pytest.raises(ValueError, match="overlap"):
        seal = Batch("sm4", "gcm-seal", [bytes(16)])
        out = bytearray(40)
        seal.apply(bytes(8), offsets, ivs=bytes(24), out=memoryview(out)[:8],
                   tags=memoryview(out)[4:36])
    with pytest.raises(ValueError, match="key of 5"):
        Batch("sm4", "ctr", [bytes(5)])
    assert data == bytes(8)


def test_two_threads_on_one_context() -> None:
    context = Cipher(SM4, modes.CTR(bytes(16))).encryptor()
    data = bytearray(1 << 22)
    refused, broken = [], []

    def work() -> None:
        own = bytearray(data)
        for _ in range(30):
            try:
                context.update_into(own, own)
            except RuntimeError as error:
                refused.append(error)
            except BaseException as error:
                broken.append(error)

    for _ in range(50):
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if refused:
            break
    assert not broken
    assert refused
    assert "another thread" in str(refused[0])


def test_threads_share_an_aead() -> None:
    gcm = SM4GCM(bytes(16))
    sealed = gcm.encrypt(bytes(12), bytes(100_000))
    results: list[bool] = []

    def work() -> None:
        for _ in range(50):
            results.append(gcm.decrypt(bytes(12), sealed) == bytes(100_000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 200
