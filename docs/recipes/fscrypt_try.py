"""Files and names that the kernel encrypted by fscrypt, read by `cipherlane raw`.

    python3 fscrypt_try.py UNIT

makes a file system with encryption in a file, a folder in it under a policy of version 2 (AES-256-XTS, AES-256-CTS,
data units of UNIT bytes: 4096, or from Linux 6.7 on 512), and files in the folder; takes the key away, reads what lies
on the disk, and decrypts it. Only root can: it mounts. Numbers are those of linux/fscrypt.h.
"""

import base64
import fcntl
import os
import pathlib
import struct
import subprocess
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SET_POLICY, ADD_KEY, REMOVE_KEY, GET_NONCE = 0x800C6613, 0xC0506617, 0xC0406618, 0x8010661B
BLOCK = 4096
FILES = {
    "a": 5000,
    "accounts-2026.csv": 3 * BLOCK + 1000,
    "x" * 70: 10 * BLOCK,
    "longer than thirty-two bytes, \u8d26\u76ee.txt": 1,
}


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def asked(path, number, argument):
    """An ioctl on a file or folder; what it wrote."""
    argument = bytearray(argument)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, number, argument, True)
    finally:
        os.close(descriptor)
    return bytes(argument)


def nonce(path):
    return asked(path, GET_NONCE, bytes(16))


def fill(root, master, unit):
    """Makes the folder and its files; number, name, nonce and contents of each, and the folder's nonce."""
    key = asked(root, ADD_KEY, struct.pack("<II32sII32s", 2, 0, b"", len(master), 0, b"") + master)
    identifier = key[8:24]
    folder = root / "folder"
    folder.mkdir()
    shift = 0 if unit == BLOCK else unit.bit_length() - 1
    # Version 2, AES-256-XTS, AES-256-CTS, names filled up to multiples of 32.
    asked(folder, SET_POLICY, struct.pack("<BBBBB3s16s", 2, 1, 4, 3, shift, b"", identifier))
    made = []
    for name, length in FILES.items():
        contents = os.urandom(length)
        (folder / name).write_bytes(contents)
        made.append(((folder / name).stat().st_ino, name, nonce(folder / name), contents))
    of_folder = nonce(folder)
    asked(root, REMOVE_KEY, struct.pack("<II32sI20s", 2, 0, identifier, 0, b""))
    return made, of_folder


def derived(master, nonce, length):
    """The key of a file or folder (HKDF_CONTEXT_PER_FILE_ENC_KEY is 2)."""
    info = b"fscrypt\0\x02" + nonce
    return HKDF(hashes.SHA512(), length, salt=None, info=info).derive(master)


def opened(cipher, key, options, sealed):
    pathlib.Path("raw.key").write_text(key.hex())
    command = ["cipherlane", "raw", "decrypt", cipher, "--raw-key", "raw.key", *options]
    return subprocess.run(command, check=True, input=sealed, capture_output=True).stdout


def on_disk(disk, number):
    """The blocks of a file as they lie there."""
    blocks = said("debugfs", "-R", f"blocks <{number}>", disk).split()
    with open(disk, "rb") as device:
        return b"".join(os.pread(device.fileno(), BLOCK, int(block) * BLOCK) for block in blocks)


def main():
    unit = int(sys.argv[1])
    master = os.urandom(64)
    root = pathlib.Path("mounted")
    root.mkdir(exist_ok=True)
    said("truncate", "-s", "16M", "image")
    said("mkfs.ext4", "-q", "-F", "-b", str(BLOCK), "-O", "encrypt", "image")
    disk = said("losetup", "--find", "--show", "image")
    try:
        said("mount", disk, root)
        try:
            made, of_folder = fill(root, master, unit)
        finally:
            said("umount", root)
        # Without the key names are shown as eight bytes of a hash and what is on the disk.
        said("mount", disk, root)
        try:
            shown = {entry.stat().st_ino: entry.name for entry in os.scandir(root / "folder")}
        finally:
            said("umount", root)
        contents = ["--sector", "0", "--sector-size", str(unit), "--iv-large-sectors"]
        for number, name, own, plain in made:
            sealed = on_disk(disk, number)
            assert plain[:16] not in sealed or len(plain) < 16
            out = opened("aes-256-xts", derived(master, own, 64), contents, sealed)
            assert out[: len(plain)] == plain, name
            sealed = base64.urlsafe_b64decode(shown[number] + "=" * (-len(shown[number]) % 4))[8:]
            out = opened("aes-256-cbc-cts", derived(master, of_folder, 32), ["--iv", "00" * 16], sealed)
            assert out == name.encode() + bytes(len(out) - len(name.encode())), name
        print(f"{len(made)} files and their names, in units of {unit} bytes, read as the kernel wrote them")
    finally:
        said("losetup", "--detach", disk)


main()
