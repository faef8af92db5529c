"""Contexts of ``Cipher`` beside those of ``cryptography``."""

from __future__ import annotations

from typing import Any

from cipherlane import Cipher, algorithms, modes
from cryptography.hazmat.decrepit.ciphers import algorithms as old_algorithms
from cryptography.hazmat.decrepit.ciphers import modes as old_modes
from cryptography.hazmat.primitives.ciphers import Cipher as TheirCipher
from cryptography.hazmat.primitives.ciphers import algorithms as their_algorithms
from cryptography.hazmat.primitives.ciphers import modes as their_modes
from sequences import Sequence, Told, outcome, raised

#: By our name: our class, theirs, lengths of keys, length of a block in bytes.
ALGORITHMS: dict[str, tuple[Any, Any, tuple[int, ...], int]] = {
    "AES": (algorithms.AES, their_algorithms.AES, (16, 24, 32), 16),
    "SM4": (algorithms.SM4, their_algorithms.SM4, (16,), 16),
    "IDEA": (algorithms.IDEA, old_algorithms.IDEA, (16,), 8),
    "RC2": (algorithms.RC2, old_algorithms.RC2, (16,), 8),
    "RC4": (algorithms.RC4, old_algorithms.ARC4, (5, 16, 32), 1),
}
MODES: dict[str, tuple[Any, Any]] = {
    "ECB": (modes.ECB, their_modes.ECB),
    "CBC": (modes.CBC, their_modes.CBC),
    "CTR": (modes.CTR, their_modes.CTR),
    "CFB": (modes.CFB, old_modes.CFB),
    "CFB8": (modes.CFB8, old_modes.CFB8),
    "OFB": (modes.OFB, old_modes.OFB),
    "XTS": (modes.XTS, their_modes.XTS),
    "GCM": (modes.GCM, their_modes.GCM),
}


class Contexts(Sequence):
    """One message in pieces."""

    def begin(self) -> Told:
        draws = self.draws
        our_class, their_class, lengths, self.block = ALGORITHMS[self.name]
        length = draws.choice(lengths) * (2 if self.mode == "XTS" else 1)
        key = draws.randbytes(self._usually(length, 0, 1, 15, 17, 24, 33, 64))
        if self.mode == "XTS" and draws.random() < 0.03:
            key = key[: len(key) // 2] * 2
        self.key, self.aad, self.output = key, b"", b""
        self.encrypts = draws.random() < 0.5
        direction = "encryptor" if self.encrypts else "decryptor"
        if not self.mode:
            call = f"{self.name}({len(key)})"
            return self._made(
                call,
                lambda: getattr(Cipher(our_class(key)), direction)(),
                lambda: getattr(TheirCipher(their_class(key), None), direction)(),
                key=len(key),
            )
        our_mode, their_mode = MODES[self.mode]
        arguments: tuple[Any, ...] = ()
        tag = least = None
        if self.mode == "GCM":
            nonce = draws.randbytes(draws.choice((12, 12, 12, 8, 16, 128, draws.randrange(140))))
            arguments, self.nonce = (nonce,), nonce
            if draws.random() < (0.03 if self.encrypts else 0.5):
                tag = draws.randbytes(self._usually(16, 0, 3, 4, 5, 8, 11, 12, 13, 15, 17))
                arguments = (nonce, tag)
            if draws.random() < 0.2:
                least = draws.choice((0, 3, 4, 5, 8, 12, 13, 15, 16, 17))
                arguments = (nonce, tag, least)
        elif self.mode != "ECB":
            arguments = (draws.randbytes(self._usually(self.block, 0, 1, 7, 8, 12, 15, 16, 17)),)
        self.least = 16 if least is None else least
        lengths_given = [it if it is None or isinstance(it, int) else len(it) for it in arguments]
        return self._made(
            f"{self.name}({len(key)}), {self.mode}{lengths_given}.{direction}()",
            lambda: getattr(Cipher(our_class(key), our_mode(*arguments)), direction)(),
            lambda: getattr(TheirCipher(their_class(key), their_mode(*arguments)), direction)(),
            key=len(key),
            tag=None if tag is None else len(tag),
            least=least,
        )

    def step(self) -> Told:
        draws, gcm = self.draws, self.mode == "GCM"
        choices = ["update"] * 5 + ["into"] * 3 + ["finalize", "reset", "wrong"]
        if gcm:
            choices += ["aad"] * 3 + ["tag", "finalize"]
            choices += [] if self.encrypts else ["with_tag"]
        return {
            "update": self._update,
            "into": self._update_into,
            "finalize": self._finalize,
            "reset": self._reset,
            "wrong": self._wrong_type,
            "aad": self._authenticate,
            "tag": self._tag,
            "with_tag": self._finalize_with_tag,
        }[draws.choice(choices)]()

    def _update(self) -> Told:
        data = self._lent(self._data())
        told = self._both(
            f"update({len(data)})",
            lambda: self.ours.update(data),
            lambda: self.theirs.update(data),
            length=len(data),
            second=self.updated,
        )
        self._took(told, len(data), told.theirs[1])
        return told

    def _took(self, told: Told, length: int, output: Any) -> None:
        if raised(told.theirs) is None:
            self.updated = True
            self.held = (self.held + length) % self.block
            self.output += output

    def _update_into(self) -> Told:
        draws, data = self.draws, self._data()
        room = len(data) + self.block - 1
        size = max(0, draws.choice((room, room, room, room + 1, room + 30, len(data), room - 1)))
        way = draws.choice(("apart", "apart", "same", "overlap"))
        if way == "overlap" and (len(data) < 2 or draws.random() < 0.7):
            way = "same"

        def on(context: Any, way: str) -> Any:
            memory = bytearray(max(size, len(data)) + 8)
            given: Any
            buffer: Any
            if way == "apart":
                buffer, given = bytearray(size), self._lent(data)
            else:
                at = 1 if way == "overlap" else 0
                memory[at : at + len(data)] = data
                given, buffer = memoryview(memory)[at : at + len(data)], memoryview(memory)[:size]
            written = context.update_into(given, buffer)
            return written, bytes(buffer[:written])

        state = draws.getstate()
        ours = outcome(lambda: on(self.ours, way))
        draws.setstate(state)
        # Up to 50.0.2 theirs gives wrong results in place while a part of a block is held back:
        # it writes over what it has not read yet. Ours in place is compared with theirs apart.
        their_way = "apart" if way == "same" and self.held else way
        theirs = outcome(lambda: on(self.theirs, their_way))
        facts = {"length": len(data), "room": size, "way": way, "second": self.updated}
        told = Told(f"update_into({len(data)}, {size}, {way})", ours, theirs, facts)
        self._took(told, len(data), theirs[1][1])
        return told

    def _finalize(self) -> Told:
        told = self._both("finalize()", self.ours.finalize, self.theirs.finalize)
        return self._end(told)

    def _end(self, told: Told) -> Told:
        """A tag of a wrong length, or none, ends neither."""
        failed = {"InvalidTag"} if self.mode == "GCM" else {"ValueError"}
        self.failed_end |= raised(told.ours) in failed
        return told

    def _reset(self) -> Told:
        length = self._usually(self.block, 0, 1, 8, 12, 15, 17)
        nonce = self.draws.randbytes(length)
        return self._both(
            f"reset_nonce({length})",
            lambda: self.ours.reset_nonce(nonce),
            lambda: self.theirs.reset_nonce(nonce),
        )

    def _wrong_type(self) -> Told:
        wrong = self.draws.choice(("text", None, 5, 1.5, [1, 2]))
        name = self.draws.choice(("update", "reset_nonce"))
        return self._both(
            f"{name}({wrong!r})",
            lambda: getattr(self.ours, name)(wrong),
            lambda: getattr(self.theirs, name)(wrong),
        )

    def _authenticate(self) -> Told:
        data = self._lent(self._data())
        told = self._both(
            f"authenticate_additional_data({len(data)})",
            lambda: self.ours.authenticate_additional_data(data),
            lambda: self.theirs.authenticate_additional_data(data),
        )
        self.aad += data if raised(told.theirs) is None else b""
        return told

    def _right_tag(self) -> bytes:
        """The tag of what was decrypted so far."""
        their_class = ALGORITHMS[self.name][1]
        context = TheirCipher(their_class(self.key), their_modes.GCM(self.nonce)).encryptor()
        context.authenticate_additional_data(self.aad)
        context.update(self.output)
        context.finalize()
        return context.tag

    def _tag(self) -> Told:
        return self._both("tag", lambda: self.ours.tag, lambda: self.theirs.tag)

    def _finalize_with_tag(self) -> Told:
        length = self._usually(min(16, max(0, self.least)), 0, 3, 4, 5, 8, 11, 12, 13, 15, 16, 17)
        made_up = self.draws.random() < 0.3 or length > 16
        tag = self.draws.randbytes(length) if made_up else self._right_tag()[:length]
        told = self._both(
            f"finalize_with_tag({length})",
            lambda: self.ours.finalize_with_tag(tag),
            lambda: self.theirs.finalize_with_tag(tag),
            tag=length,
        )
        return self._end(told)
