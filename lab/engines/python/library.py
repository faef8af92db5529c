"""The engine python: the package cipherlane, on the wall clock."""

import struct
import sys
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "site")]

import cipherlane
from cipherlane import AEAD, MAC, Batch, registry
from cipherlane._native import CipherContext
from operation import Call, Message, Operation
from server import Server


def _cipher(algorithm: str, name: str, entry: dict) -> dict:
    def ready(key: bytes, iv: bytes) -> CipherContext:
        return CipherContext(algorithm, name, key, iv)

    def message(context: CipherContext, it: Message) -> Call:
        reset, update = context.reset_nonce, partial(context.update_into, it.data, it.memory)
        iv = it.iv

        def call() -> None:
            reset(iv)
            update()

        return call

    def packet(it: Message) -> Call:
        return lambda: ready(it.key, it.iv).update_into(it.data, it.memory)

    def stream(context: CipherContext, it: Message) -> Call:
        return partial(context.update_into, it.data, it.memory)

    calls = {"ready": ready, "message": message, "packet": packet}
    # A keystream that ends can't be measured for long, nor a mode on whole messages.
    endless = entry["in_pieces"] and entry["block"] and name != "ctr32"
    return calls | ({"stream": stream} if endless else {})


def _seal(algorithm: str, mode: str) -> dict:
    def ready(key: bytes, _: bytes) -> AEAD:
        # The messages of a ring come again and again.
        return AEAD(algorithm, mode, key, allow_nonce_reuse=True)

    def message(aead: AEAD, it: Message) -> Call:
        return partial(aead.encrypt_into, it.iv, it.data, it.aad, it.memory)

    def packet(it: Message) -> Call:
        return lambda: ready(it.key, it.iv).encrypt_into(it.iv, it.data, it.aad, it.memory)

    return {"ready": ready, "message": message, "packet": packet, "shape": "seal"}


def _pdu(algorithm: str, name: str) -> dict:
    """What is no AEAD but seals: there as a batch, here of one message."""

    def ready(key: bytes, _: bytes) -> Batch:
        return Batch(algorithm, name, [key])

    def message(batch: Batch, it: Message) -> Call:
        offsets = memoryview(struct.pack("2q", 0, it.length)).cast("q")
        memory = memoryview(it.memory)
        out, tag = memory[: it.length], memory[it.length :]
        call = batch.apply
        return partial(call, it.data, offsets, ivs=it.iv, out=out, aad=it.aad, tags=tag)

    def packet(it: Message) -> Call:
        return lambda: message(ready(it.key, it.iv), it)()

    return {"ready": ready, "message": message, "packet": packet, "shape": "seal"}


def _mac(algorithm: str, name: str, iv_bytes: int) -> dict:
    def ready(key: bytes, iv: bytes) -> MAC:
        return MAC(algorithm, name, key, iv)

    def tag(mac: MAC, it: Message) -> None:
        mac.update(it.data)
        it.tag = mac.digest()

    def message(mac: MAC, it: Message) -> Call:
        return lambda: tag(mac.copy(), it)

    def packet(it: Message) -> Call:
        return lambda: tag(ready(it.key, it.iv), it)

    calls = {"ready": ready, "packet": packet, "shape": "mac"}
    # A copy has the IV of the original: another IV needs another object.
    return calls if iv_bytes else calls | {"message": message}


def _operations() -> list[Operation]:
    found = []
    for entry in registry():
        algorithm, name, kind = entry["algorithm"], entry["operation"], entry["kind"]
        key_bytes = entry["key"][0]
        if not entry["block"] and kind == "cipher":
            key_bytes = min(max(key_bytes, 16), entry["key"][1] or 16)
        granule, iv_bytes, tag_bytes = entry["data"][2], entry["usual_iv"], entry["tag"][1]
        if kind == "cipher" and entry["data"][0] <= 1:
            more = _cipher(algorithm, name, entry) | {"granule": max(granule, 1)}
        elif kind == "seal" and "+" in name:
            more = _pdu(algorithm, name)
        elif kind == "seal":
            more = _seal(algorithm, name.removesuffix("-seal"))
        elif kind == "mac" and "pad3" not in name:
            more = _mac(algorithm, name, iv_bytes)
        else:
            continue
        tag_bytes = 0 if kind == "cipher" else tag_bytes
        found.append(
            Operation(algorithm, name, key_bytes, iv_bytes, tag_bytes=tag_bytes, **more)
        )
    return found


if __name__ == "__main__":
    path = str(Path(cipherlane.__file__).parent)
    Server("python", cipherlane.__version__, path, _operations()).serve()
