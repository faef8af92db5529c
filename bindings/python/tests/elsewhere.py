"""Values by ``cryptography``: IV, ciphertext and tag, one behind the other."""

import os

from cryptography.hazmat.decrepit.ciphers import algorithms as old
from cryptography.hazmat.primitives import padding as pads
from cryptography.hazmat.primitives.ciphers import Cipher, modes

SM4 = getattr(old, "SM4", None)
if SM4 is None:
    from cryptography.hazmat.primitives.ciphers import algorithms

    SM4 = algorithms.SM4

def opened_elsewhere(sealed: bytes, mode: str, padding: str, aad: bytes, key: bytes) -> bytes:
    """One value by ``cryptography``."""
    if mode == "GCM":
        cipher = Cipher(SM4(key), modes.GCM(sealed[:12], sealed[-16:])).decryptor()
        cipher.authenticate_additional_data(aad)
        return cipher.update(sealed[12:-16]) + cipher.finalize()
    front = 16 if mode == "CBC" else 0
    chosen = modes.CBC(sealed[:16]) if mode == "CBC" else modes.ECB()
    cipher = Cipher(SM4(key), chosen).decryptor()
    plain = cipher.update(sealed[front:]) + cipher.finalize()
    if padding == "NONE":
        return plain
    unpadder = pads.PKCS7(128).unpadder()
    return unpadder.update(plain) + unpadder.finalize()


def sealed_elsewhere(plain: bytes, mode: str, padding: str, aad: bytes, key: bytes) -> bytes:
    if mode == "GCM":
        iv = os.urandom(12)
        cipher = Cipher(SM4(key), modes.GCM(iv)).encryptor()
        cipher.authenticate_additional_data(aad)
        return iv + cipher.update(plain) + cipher.finalize() + cipher.tag
    if padding != "NONE":
        padder = pads.PKCS7(128).padder()
        plain = padder.update(plain) + padder.finalize()
    iv = os.urandom(16) if mode == "CBC" else b""
    cipher = Cipher(SM4(key), modes.CBC(iv) if iv else modes.ECB()).encryptor()
    return iv + cipher.update(plain) + cipher.finalize()
