"""AEADs on whole messages and CMAC beside those of ``cryptography``."""

from __future__ import annotations

from typing import Any

from cipherlane import aead, mac
from contexts import ALGORITHMS
from cryptography.hazmat.primitives import cmac as their_cmac
from cryptography.hazmat.primitives.ciphers import aead as their_aead
from sequences import Sequence, Told, outcome

AEADS: dict[str, tuple[Any, Any, tuple[int, ...]]] = {
    "AESGCM": (aead.AESGCM, their_aead.AESGCM, (16, 24, 32)),
    "AESCCM": (aead.AESCCM, their_aead.AESCCM, (16, 24, 32)),
    "AESGCMSIV": (aead.AESGCMSIV, their_aead.AESGCMSIV, (16, 32)),
}


class Messages(Sequence):
    """Messages under an AEAD."""

    def begin(self) -> Told:
        our_class, their_class, lengths = AEADS[self.name]
        draws = self.draws
        if draws.random() < 0.05:
            bits = draws.choice((None, 0, 100, 128, 129, 192, 256, 512))
            arguments = () if bits is None else (bits,)
            # Keys are drawn: their lengths are compared.
            return self._both(
                f"generate_key{arguments}",
                lambda: len(our_class.generate_key(*arguments)),
                lambda: len(their_class.generate_key(*arguments)),
            )
        key = draws.randbytes(self._usually(draws.choice(lengths), 0, 15, 24, 33))
        more: tuple[int, ...] = ()
        self.tag_length = 16
        if self.name == "AESCCM" and draws.random() < 0.5:
            self.tag_length = draws.choice((4, 6, 8, 10, 12, 14, 16, 5, 2, 18))
            more = (self.tag_length,)
        self.nonces: list[bytes] = []
        return self._made(
            f"{self.name}({len(key)}, {more})",
            lambda: our_class(key, *more),
            lambda: their_class(key, *more),
            key=len(key),
        )

    def step(self) -> Told:
        draws = self.draws
        right = 12 if self.name != "AESCCM" else draws.randrange(7, 14)
        length = self._usually(right, 0, 1, 6, 7, 8, 11, 14, 16, 64, 128, 129)
        nonce, again = draws.randbytes(length), False
        if self.nonces and draws.random() < 0.03:
            nonce, again = self.nonces[-1], True
        data = self._data(draws.choice((65_535, 65_536, 70_000)) if draws.random() < 0.01 else None)
        aad = draws.choice((None, b"", self._lent(self._data())))
        what = draws.choice(("encrypt", "encrypt", "encrypt_into", "decrypt", "decrypt_into"))
        facts = {"again": again, "nonce": len(nonce), "length": len(data), "way": what}
        into = what.endswith("_into")
        if what.startswith("encrypt"):
            self.nonces.append(nonce)
            given, size = data, len(data) + self.tag_length
        else:
            # With a right message, or one that was changed, cut or made up.
            given = outcome(lambda: self.theirs.encrypt(nonce, data, aad))[1]
            given = given if isinstance(given, bytes) else data
            fate = draws.randrange(6)
            if fate == 0 and given:
                changed = bytearray(given)
                changed[draws.randrange(len(changed))] ^= 1 << draws.randrange(8)
                given = bytes(changed)
            elif fate == 1:
                given = given[: draws.randrange(len(given) + 1)]
            size = max(0, len(given) - self.tag_length)
        if not into:
            return self._both(
                f"{what}({len(nonce)}, {len(given)}, {aad if aad is None else len(aad)})",
                lambda: getattr(self.ours, what)(nonce, given, aad),
                lambda: getattr(self.theirs, what)(nonce, given, aad),
                **facts,
            )
        size = max(0, self._usually(size, size - 1, size + 1, 0))

        def on(one: Any) -> Any:
            buffer = bytearray(size)
            return getattr(one, what)(nonce, given, aad, buffer), bytes(buffer)

        call = f"{what}({len(nonce)}, {len(given)}, {aad if aad is None else len(aad)}, {size})"
        return self._both(call, lambda: on(self.ours), lambda: on(self.theirs), **facts)


class Macs(Sequence):
    """A message under CMAC."""

    def begin(self) -> Told:
        our_class, their_class, lengths, self.block = ALGORITHMS[self.name]
        key = self.draws.randbytes(self._usually(self.draws.choice(lengths), 0, 15, 33))
        return self._made(
            f"CMAC({self.name}({len(key)}))",
            lambda: mac.cmac(our_class(key)),
            lambda: their_cmac.CMAC(their_class(key)),
            key=len(key),
        )

    def step(self) -> Told:
        draws = self.draws
        what = draws.choice(("update",) * 5 + ("finalize", "verify", "copy", "wrong"))
        if what == "update":
            data = self._lent(self._data())
            return self._both(
                f"update({len(data)})",
                lambda: self.ours.update(data),
                lambda: self.theirs.update(data),
            )
        if what == "finalize":
            return self._both("finalize()", self.ours.finalize, self.theirs.finalize)
        if what == "copy":
            return self._made("copy()", self.ours.copy, self.theirs.copy)
        if what == "wrong":
            wrong = draws.choice(("text", None, 5))
            return self._both(
                f"update({wrong!r})",
                lambda: self.ours.update(wrong),
                lambda: self.theirs.update(wrong),
            )
        tag = outcome(lambda: self.theirs.copy().finalize())[1]
        tag = tag if isinstance(tag, bytes) else bytes(16)
        fate = draws.randrange(3)
        if fate == 0:
            tag = bytes([tag[0] ^ 1]) + tag[1:]
        elif fate == 1:
            tag = tag[: draws.randrange(17)]
        return self._both(
            f"verify({len(tag)})", lambda: self.ours.verify(tag), lambda: self.theirs.verify(tag)
        )
