"""3GPP's algorithms by key, COUNT, BEARER and DIRECTION."""

import pytest
from cipherlane import Cipher, aead, air, algorithms, exceptions, mac

UP, DOWN = air.Direction.UPLINK, air.Direction.DOWNLINK


def test_eea3_of_the_specification() -> None:
    """TS 35.223, 128-EEA3 test set 1: 193 bits."""
    key = bytes.fromhex("173d14ba5003731d7a60049470f00a29")
    plain = bytes.fromhex("6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200")
    sealed = bytes.fromhex("a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800")
    numbers = (0x66035492, 15, UP)
    assert air.eea3_apply(key, *numbers, plain, 193) == sealed
    assert air.eea3_apply(key, *numbers, sealed, 193) == plain
    pieces = air.eea3(key, *numbers)
    assert (pieces.update(plain[:7]) + pieces.update(plain[7:]))[:24] == sealed[:24]
    by_iv = Cipher(algorithms.EEA3(key, air.eea3_iv(*numbers))).encryptor()
    assert by_iv.update(plain)[:24] == sealed[:24]
    assert air.eea3_iv(*numbers).hex() == "6603549278000000" * 2


def test_eia3_of_the_specification() -> None:
    """TS 35.223, 128-EIA3 test sets 1 and 3: 1 and 577 bits."""
    tag = air.eia3(bytes(16), 0, 0, UP)
    tag.update_bits(b"\0", 1)
    assert tag.finalize().hex() == "c8a9595e"
    message = bytes.fromhex(
        "983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea07e941b7b"
        "e91348f9fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c53881"
        "00"
    )
    tag = air.eia3(bytes.fromhex("c9e6cec4607c72db000aefa88385ab0a"), 0xA94059DA, 10, DOWN)
    tag.update_bits(message, 577)
    assert tag.finalize().hex() == "fae8ff0b"
    with pytest.raises(exceptions.AlreadyFinalized):
        tag.update(b"more")


def test_direction_and_ivs() -> None:
    assert air.eea3_iv(1, 1, DOWN).hex() == "000000010c000000" * 2
    assert air.eia3_iv(1, 1, DOWN).hex() == "0000000108000000" + "8000000108008000"
    assert air.assumed_nea6_iv(0x01020304, 31, DOWN).hex() == "003f01020304" + "00" * 10
    assert air.assumed_nia6_iv(1, 2, UP, 4).hex() == "200400000001" + "00" * 10
    assert air.assumed_nca6_nonce(1, 2, UP, 16).hex() == "840400000001" + "00" * 10


def test_256_bit_algorithms() -> None:
    key, numbers = bytes(range(32)), (5, 3, DOWN)
    sealed = air.nea6_assuming(key, *numbers).update(b"a packet")
    by_iv = Cipher(algorithms.NEA6(key, air.assumed_nea6_iv(*numbers))).decryptor()
    assert by_iv.update(sealed) == b"a packet"
    tag = air.nia6_assuming(key, *numbers, 8)
    other = mac.nia6(key, air.assumed_nia6_iv(*numbers, 8), 8)
    for each in (tag, other):
        each.update(b"a packet")
    other.verify(tag.finalize())
    nonce = air.assumed_nca6_nonce(*numbers, 12)
    one = aead.NCA6(key, 12)
    assert one.decrypt(nonce, one.encrypt(nonce, b"a packet", b"h"), b"h") == b"a packet"


def test_numbers_out_of_range() -> None:
    for numbers, text in (
        ((-1, 0, 0), "COUNT is -1; allowed: 0 to 4294967295"),
        ((1 << 32, 0, 0), "COUNT is 4294967296"),
        ((0, 32, 0), "BEARER is 32; allowed: 0 to 31"),
        ((0, 0, 2), "DIRECTION is 2; allowed: 0 to 1"),
    ):
        for call in (air.eea3_iv, air.eia3_iv, air.assumed_nea6_iv, air.assumed_nia6_iv):
            with pytest.raises(ValueError, match=text):
                call(*numbers)
        with pytest.raises(ValueError, match=text):
            air.eea3_apply(bytes(16), *numbers, b"data")
    with pytest.raises(ValueError, match="key of 15 bytes"):
        air.eia3(bytes(15), 0, 0, UP)
    for bits in (-1, 0, 8, 17):
        with pytest.raises(ValueError, match="LENGTH in bits"):
            air.eea3_apply(bytes(16), 0, 0, UP, b"ab", bits)
    with pytest.raises(ValueError, match="tag of 3"):
        air.assumed_nia6_iv(0, 0, 0, 3)
