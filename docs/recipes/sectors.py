"""Images as dm-crypt and fscrypt write them, by pyca's `cryptography` and arithmetic that stands here.

    python3 sectors.py FOLDER

writes for each image NAME the files NAME, NAME.key (hexadecimal digits) and NAME.plain into FOLDER, and a
line `NAME CIPHER OPTIONS` into FOLDER/list: what `cipherlane raw` is to be told. Keys and contents are
drawn. No program of Cipherlane has a part in it.

dm-crypt: the IV `plain64` is the sector's number in 64 bits, little-endian, counted in 512 bytes, or in
sectors with `iv_large_sectors` (Linux, Documentation/admin-guide/device-mapper/dm-crypt.rst). fscrypt:
contents by data units of 4096 bytes whose index is the IV, names by CBC with ciphertext stealing under
an IV of zeros, filled up with zeros; both under keys that HKDF-SHA512 makes of the master key and the
16 bytes that a file or folder keeps (Documentation/filesystems/fscrypt.rst).
"""

import os
import pathlib
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SECTORS = 40  # of 4096 bytes each: 320 of 512, whose numbers need more than a byte


def run(algorithm, mode, data, decrypt=False):
    context = Cipher(algorithm, mode)
    context = context.decryptor() if decrypt else context.encryptor()
    return context.update(data) + context.finalize()


def doubled(tweak):
    """The next tweak of IEEE 1619: the bytes are a polynomial, the first byte its lowest terms."""
    number = int.from_bytes(tweak, "little") << 1
    number ^= (number >> 128) * ((1 << 128) | 0x87)
    return number.to_bytes(16, "little")


def doubled_gb(tweak):
    """That of GB/T 17964-2021: the bits of each byte stand the other way round, as in GCM."""
    number = int.from_bytes(tweak, "big")
    number = (number >> 1) ^ (0xE1 << 120) * (number & 1)
    return number.to_bytes(16, "big")


def sm4_xts(double):
    def sector(key, iv, data):
        # All blocks at once by ECB: pyca has no XTS of SM4.
        tweak = run(algorithms.SM4(key[16:]), modes.ECB(), iv)
        tweaks = []
        for _ in range(len(data) // 16):
            tweaks.append(tweak)
            tweak = double(tweak)
        tweaks = b"".join(tweaks)
        inner = run(algorithms.SM4(key[:16]), modes.ECB(), xor(data, tweaks))
        return xor(inner, tweaks)

    return sector


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def aes_xts(key, iv, data):
    return run(algorithms.AES(key), modes.XTS(iv), data)


def cbc(algorithm):
    return lambda key, iv, data: run(algorithm(key), modes.CBC(iv), data)


def stolen(algorithm):
    """CBC-CS3: the data filled up with zeros, the last two blocks exchanged, the last one cut off."""

    def message(key, iv, data):
        filled = data + bytes(-len(data) % 16)
        out = run(algorithm(key), modes.CBC(iv), filled)
        if len(out) > 16:
            out = out[:-32] + out[-16:] + out[-32:-16]
        return out[: len(data)]

    return message


def numbered(message, key, plain, size, numbers):
    """Each sector under its number."""
    parts = []
    for at, number in zip(range(0, len(plain), size), numbers):
        iv = number.to_bytes(8, "little") + bytes(8)
        parts.append(message(key, iv, plain[at : at + size]))
    return b"".join(parts)


def derived(master, nonce, length):
    """The key of a file or folder under a policy of version 2 (HKDF_CONTEXT_PER_FILE_ENC_KEY is 2)."""
    info = b"fscrypt\0\x02" + nonce
    return HKDF(hashes.SHA512(), length, salt=None, info=info).derive(master)


def images():
    """Name, cipher, options, key, plaintext and what stands on the disk."""
    disk = os.urandom(SECTORS * 4096)
    for name, cipher, bits, message in [
        ("aes-xts", "aes-256-xts", 512, aes_xts),
        ("aes-128-xts", "aes-128-xts", 256, aes_xts),
        ("sm4-xts", "sm4-xts", 256, sm4_xts(doubled)),
        ("sm4-xts-gb", "sm4-xts-gb", 256, sm4_xts(doubled_gb)),
        ("aes-cbc", "aes-256-cbc", 256, cbc(algorithms.AES)),
        ("aes-cbc-cts", "aes-256-cbc-cts", 256, stolen(algorithms.AES)),
    ]:
        for first, size, large in [(0, 512, 0), (2048, 512, 0), (4096, 4096, 0), (4096, 4096, 1)]:
            key = os.urandom(bits // 8)
            step = size // 512
            start, step = (first // step, 1) if large else (first, step)
            numbers = range(start, start + step * len(disk), step)
            sealed = numbered(message, key, disk, size, numbers)
            options = f"--sector {first} --sector-size {size}"
            options += " --iv-large-sectors" * large
            yield f"{name}-{first}-{size}-{large}", cipher, options, key, disk, sealed
    contents = "--sector 0 --sector-size 4096 --iv-large-sectors"
    for name, cipher, length, units, of_names, algorithm, short in [
        ("aes", "aes-256-xts", 64, aes_xts, "aes-256-cbc-cts", algorithms.AES, 32),
        ("sm4", "sm4-xts", 32, sm4_xts(doubled), "sm4-cbc-cts", algorithms.SM4, 16),
    ]:
        master, nonce = os.urandom(64), os.urandom(16)
        key = derived(master, nonce, length)
        file = os.urandom(3 * 4096 + 1000) + bytes(4096 - 1000)
        sealed = numbered(units, key, file, 4096, range(4))
        yield f"fscrypt-{name}-file", cipher, contents, key, file, sealed
        key = derived(master, nonce, short)
        # Filled up to 16 bytes at least, and to a multiple of 4, 8, 16 or 32, as the policy says.
        for text, fill in [(b"a", 32), (b"accounts-2026.csv", 4), (b"more than thirty-two bytes as names.txt", 8)]:
            padded = text + bytes(max(16 - len(text), -len(text) % fill))
            sealed = stolen(algorithm)(key, bytes(16), padded)
            label = f"fscrypt-{name}-name-{len(text)}"
            yield label, of_names, f"--iv {'0' * 32}", key, padded, sealed


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir()
    with open(folder / "list", "w") as listed:
        for name, cipher, options, key, plain, sealed in images():
            (folder / name).write_bytes(sealed)
            (folder / f"{name}.plain").write_bytes(plain)
            (folder / f"{name}.key").write_text(key.hex() + "\n")
            listed.write(f"{name} {cipher} {options}\n")


main()
