"""Dialects written down a second time from their rules, with ``cryptography``."""

import base64
import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.decrepit.ciphers.modes import CFB, OFB
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import SM4


def run(algorithm: Any, mode: Any, data: bytes, encrypts: bool) -> bytes:
    cipher = Cipher(algorithm, mode)
    context = cipher.encryptor() if encrypts else cipher.decryptor()
    return context.update(data) + context.finalize()


def padded(data: bytes) -> bytes:
    context = padding.PKCS7(128).padder()
    return context.update(data) + context.finalize()


def unpadded(data: bytes) -> bytes:
    context = padding.PKCS7(128).unpadder()
    return context.update(data) + context.finalize()


def folded(text: bytes, length: int) -> bytes:
    key = bytearray(length)
    for place, byte in enumerate(text):
        key[place % length] ^= byte
    return bytes(key)


@dataclass(frozen=True)
class Rule:
    """A dialect in a mode: how to prepare it, and both directions as somebody else has them."""

    dialect: str
    mode: str
    coding: str
    settings: dict[str, Any]
    write: Callable[[bytes], bytes]
    read: Callable[[bytes], bytes]

    def __str__(self) -> str:
        return f"{self.dialect} {self.mode} {self.coding}"


def plain_mode(
    dialect: str, name: str, algorithm: Any, mode: Callable[[], Any], fills: bool, **settings: Any
) -> Rule:
    def write(data: bytes) -> bytes:
        return run(algorithm, mode(), padded(data) if fills else data, True)

    def read(stored: bytes) -> bytes:
        data = run(algorithm, mode(), stored, False)
        return unpadded(data) if fills else data

    return Rule(dialect, name, settings.pop("coding", "raw"), settings, write, read)


def mysql(bits: int, name: str) -> Rule:
    text, iv = os.urandom(37), os.urandom(21)
    kinds = {"cbc": modes.CBC, "cfb128": CFB, "ofb": OFB, "ctr": modes.CTR}
    algorithm = algorithms.AES(folded(text, bits // 8))
    dialect = "mariadb-aes" if name == "ctr" else "mysql-aes"
    mode = f"aes-{bits}-{name}"
    fills = name == "cbc"
    return plain_mode(dialect, mode, algorithm, lambda: kinds[name](iv[:16]), fills, key=text, iv=iv)


def doris(name: str, given: bytes) -> Rule:
    text = os.urandom(21)
    iv = given + b"DORISDORISDORIS_"[len(given) :]
    kinds = {"CBC": modes.CBC, "CFB128": CFB, "OFB": OFB, "CTR": modes.CTR}
    algorithm, fills = SM4(folded(text, 16)), name == "CBC"
    mode = f"SM4_128_{name}"
    return plain_mode("doris-sm4", mode, algorithm, lambda: kinds[name](iv), fills, key=text, iv=given)


def opengauss_sm4() -> Rule:
    password = b"Asdf1234%02d" % (os.urandom(1)[0] % 100)
    algorithm = SM4(password.ljust(16, b"\0"))

    def write(data: bytes) -> bytes:
        iv = os.urandom(16)
        return base64.b64encode(iv + run(algorithm, modes.CTR(iv), data, True))

    def read(stored: bytes) -> bytes:
        stored = base64.b64decode(stored, validate=True)
        return run(algorithm, modes.CTR(stored[:16]), stored[16:], False)

    return Rule("opengauss-sm4", "sm4", "base64", {"key": password.decode()}, write, read)


def opengauss_aes128() -> Rule:
    password = b"pass%02dword" % (os.urandom(1)[0] % 100)
    salt = os.urandom(16)

    def derived(salt: bytes) -> bytes:
        return hashlib.pbkdf2_hmac("sha256", password, salt, 10_000, 16)

    def write(data: bytes) -> bytes:
        key, iv = derived(salt), os.urandom(16)
        data += b"\x80"
        data += bytes(-len(data) % 16)
        text = run(algorithms.AES(key), modes.CBC(iv), data, True)
        return base64.b64encode(salt + text + iv + hmac.digest(key, text + iv, "sha1"))

    def read(stored: bytes) -> bytes:
        stored = base64.b64decode(stored, validate=True)
        key, text, iv, mac = derived(stored[:16]), stored[16:-36], stored[-36:-20], stored[-20:]
        assert hmac.compare_digest(hmac.digest(key, text + iv, "sha1"), mac)
        data = run(algorithms.AES(key), modes.CBC(iv), text, False).rstrip(b"\0")
        assert data.endswith(b"\x80")
        return data[:-1]

    return Rule("opengauss-aes128", "aes128", "base64", {"key": password.decode()}, write, read)


def spark_gcm(length: int) -> Rule:
    key, header = os.urandom(length), b"a header"

    def write(data: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + AESGCM(key).encrypt(nonce, data, header)

    def read(stored: bytes) -> bytes:
        return AESGCM(key).decrypt(stored[:12], stored[12:], header)

    return Rule("spark-aes", "GCM", "raw", {"key": key, "aad": header}, write, read)


def cipherlane_gcm() -> Rule:
    key, header = os.urandom(16), b"another header"

    def write(data: bytes) -> bytes:
        nonce = os.urandom(12)
        context = Cipher(SM4(key), modes.GCM(nonce)).encryptor()
        context.authenticate_additional_data(header)
        return nonce + context.update(data) + context.finalize() + context.tag

    def read(stored: bytes) -> bytes:
        context = Cipher(SM4(key), modes.GCM(stored[:12], stored[-16:])).decryptor()
        context.authenticate_additional_data(header)
        return context.update(stored[12:-16]) + context.finalize()

    return Rule("cipherlane-sm4", "GCM", "raw", {"key": key.hex(), "aad": header}, write, read)


def spark_cbc() -> Rule:
    key = os.urandom(16)

    def write(data: bytes) -> bytes:
        iv = os.urandom(16)
        return iv + run(algorithms.AES(key), modes.CBC(iv), padded(data), True)

    def read(stored: bytes) -> bytes:
        return unpadded(run(algorithms.AES(key), modes.CBC(stored[:16]), stored[16:], False))

    return Rule("spark-aes", "CBC", "raw", {"key": key}, write, read)


def yashandb() -> Rule:
    key, iv = os.urandom(16), os.urandom(16)
    one = plain_mode("yashandb-sm4", "CBC", SM4(key), lambda: modes.CBC(iv), True)

    def write(data: bytes) -> bytes:
        return one.write(data).hex().upper().encode()

    def read(stored: bytes) -> bytes:
        return one.read(bytes.fromhex(stored.decode()))

    settings = {"key": key.hex(), "iv": iv.hex()}
    return Rule("yashandb-sm4", "CBC", "hex-upper", settings, write, read)


def pgcrypto() -> Rule:
    key, iv = os.urandom(20), os.urandom(9)
    algorithm, start = algorithms.AES(key.ljust(24, b"\0")), iv.ljust(16, b"\0")
    one = plain_mode("pgcrypto-aes", "aes-cbc", algorithm, lambda: modes.CBC(start), True)

    def write(data: bytes) -> bytes:
        # As the client program of PostgreSQL shows bytes.
        return b"\\x" + one.write(data).hex().encode()

    def read(stored: bytes) -> bytes:
        return one.read(bytes.fromhex(stored.decode()))

    return Rule("pgcrypto-aes", "aes-cbc", "hex", {"key": key, "iv": iv}, write, read)


def rules() -> list[Rule]:
    """Fresh keys each time."""
    found = [mysql(bits, mode) for bits in (128, 192, 256) for mode in ("cbc", "cfb128", "ofb", "ctr")]
    for mode in ("CBC", "CFB128", "OFB", "CTR"):
        found += [doris(mode, b""), doris(mode, os.urandom(5)), doris(mode, os.urandom(16))]
    found += [spark_gcm(length) for length in (16, 24, 32)]
    return [*found, cipherlane_gcm(), spark_cbc(), opengauss_sm4(), opengauss_aes128(), yashandb(), pgcrypto()]
