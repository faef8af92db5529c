"""The engine python-cryptography: pyca's package, on the wall clock."""

import sys
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "site")]

import cryptography
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from operation import Call, Message, Operation
from server import Server

CIPHERS = {
    "sm4": (algorithms.SM4, 16),
    "aes-128": (algorithms.AES, 16),
    "aes-192": (algorithms.AES, 24),
    "aes-256": (algorithms.AES, 32),
}
MODES = {"cbc": modes.CBC, "ctr": modes.CTR, "cfb": CFB, "cfb8": CFB8, "ofb": OFB}


def _cipher(name: str, mode: str, encrypt: bool, key_bytes: int) -> Operation:
    def ready(key: bytes, iv: bytes) -> object:
        cipher = Cipher(CIPHERS[name][0](key), MODES[mode](iv) if iv else modes.ECB())
        return cipher.encryptor() if encrypt else cipher.decryptor()

    def packet(it: Message) -> Call:
        return lambda: ready(it.key, it.iv).update_into(it.data, it.memory)

    def message(_: object, it: Message) -> Call:
        # A context takes another nonce in counter mode only; else there is another context.
        if mode != "ctr":
            return packet(it)
        context = ready(it.key, it.iv)

        def call() -> None:
            context.reset_nonce(it.iv)
            context.update_into(it.data, it.memory)

        return call

    def stream(context: object, it: Message) -> Call:
        return partial(context.update_into, it.data, it.memory)

    operation = mode if mode in ("ctr", "ofb") else f"{mode}-{'en' if encrypt else 'de'}crypt"
    granule = 16 if mode in ("ecb", "cbc") else 1
    iv_bytes = 0 if mode == "ecb" else 16
    return Operation(
        name, operation, key_bytes, iv_bytes, granule, slack=15,
        ready=ready, message=message, packet=packet, stream=stream,
    )  # fmt: skip


def _gcm(name: str, key_bytes: int) -> Operation:
    def packet(it: Message) -> Call:
        body, end = memoryview(it.memory), it.length

        def call() -> None:
            context = Cipher(CIPHERS[name][0](it.key), modes.GCM(it.iv)).encryptor()
            context.authenticate_additional_data(it.aad)
            context.update_into(it.data, body)
            context.finalize()
            body[end : end + 16] = context.tag

        return call

    def message(aead: object, it: Message) -> Call:
        if not isinstance(aead, AESGCM):
            return packet(it)
        return partial(aead.encrypt_into, it.iv, it.data, it.aad, memoryview(it.memory)[: it.length + 16])

    def ready(key: bytes, _: bytes) -> object:
        return AESGCM(key) if name != "sm4" else None

    return Operation(
        name, "gcm-seal", key_bytes, 12, tag_bytes=16, shape="seal", slack=15,
        ready=ready, message=message, packet=packet,
    )  # fmt: skip


def _cmac(name: str, key_bytes: int) -> Operation:
    def ready(key: bytes, _: bytes) -> cmac.CMAC:
        return cmac.CMAC(CIPHERS[name][0](key))

    def tag(mac: cmac.CMAC, it: Message) -> None:
        mac.update(bytes(it.data))
        it.tag = mac.finalize()

    def message(mac: cmac.CMAC, it: Message) -> Call:
        return lambda: tag(mac.copy(), it)

    def packet(it: Message) -> Call:
        return lambda: tag(ready(it.key, b""), it)

    return Operation(
        name, "cmac", key_bytes, 0, tag_bytes=16, shape="mac",
        ready=ready, message=message, packet=packet,
    )  # fmt: skip


def _operations() -> list[Operation]:
    found = []
    for name, (_, key_bytes) in CIPHERS.items():
        for mode in ("ecb", *MODES):
            if name == "sm4" and mode == "cfb8":
                continue
            for encrypt in (True, False)[: 1 if mode in ("ctr", "ofb") else 2]:
                found.append(_cipher(name, mode, encrypt, key_bytes))
        found += [_gcm(name, key_bytes), _cmac(name, key_bytes)]
    return found


if __name__ == "__main__":
    path = f"{Path(cryptography.__file__).parent}, {backend.openssl_version_text()}"
    Server("python-cryptography", cryptography.__version__, path, _operations()).serve()
