"""``Cipher``: an algorithm, and a mode where it needs one."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from ._native import AEADContext, CipherContext
from .algorithms import BlockCipher, StreamCipher
from .exceptions import UnsupportedAlgorithm
from .modes import Mode, Tagged

if TYPE_CHECKING:
    from typing import Generic, TypeVar

    _Context = TypeVar("_Context", CipherContext, AEADContext)
else:

    class Generic:
        def __class_getitem__(cls, _: object) -> type:
            return cls

    _Context = None


class Cipher(Generic[_Context]):
    """A cipher under a key and an IV, from which contexts are made.

    >>> from cipherlane import Cipher, algorithms, modes
    >>> cipher = Cipher(algorithms.SM4(bytes(16)), modes.CTR(bytes(16)))
    >>> sealed = cipher.encryptor().update(b"any number of bytes")
    >>> cipher.decryptor().update(sealed)
    b'any number of bytes'
    """

    @overload
    def __init__(self: Cipher[AEADContext], algorithm: BlockCipher, mode: Tagged) -> None: ...
    @overload
    def __init__(self: Cipher[CipherContext], algorithm: BlockCipher, mode: Mode) -> None: ...
    @overload
    def __init__(
        self: Cipher[CipherContext], algorithm: StreamCipher, mode: None = None
    ) -> None: ...
    def __init__(
        self, algorithm: BlockCipher | StreamCipher, mode: Mode | Tagged | None = None
    ) -> None:
        if isinstance(algorithm, BlockCipher):
            if not isinstance(mode, (Mode, Tagged)):
                name = type(algorithm).__name__
                raise TypeError(f"{name} needs a mode of cipherlane.modes, not {mode!r}")
            if isinstance(mode, Tagged) and algorithm.parameters():
                given = ", ".join(algorithm.parameters())
                raise UnsupportedAlgorithm(
                    f"{mode.name} with {given}; allowed: the usual member of the family"
                )
        elif not isinstance(algorithm, StreamCipher):
            raise TypeError(f"{algorithm!r} is no algorithm of cipherlane.algorithms")
        elif mode is not None:
            raise UnsupportedAlgorithm(f"{algorithm.name} takes no mode")
        self.algorithm, self.mode = algorithm, mode

    def encryptor(self) -> _Context:
        """A context that encrypts one message."""
        return self._context(True)

    def decryptor(self) -> _Context:
        """A context that decrypts one message."""
        return self._context(False)

    def _context(self, encrypt: bool) -> _Context:
        algorithm, mode = self.algorithm, self.mode
        context: CipherContext | AEADContext
        if mode is None:
            if TYPE_CHECKING:
                assert isinstance(algorithm, StreamCipher)
            context = CipherContext(
                algorithm.name, algorithm.operation, algorithm.key, algorithm.nonce
            )
        elif isinstance(mode, Mode):
            if TYPE_CHECKING:
                assert isinstance(algorithm, BlockCipher)
            operation = mode.operations[0 if encrypt else 1]
            context = CipherContext(
                algorithm.member(operation),
                operation,
                algorithm.key,
                mode.iv,
                mode.padding,
                **algorithm.parameters(),
            )
        else:
            if TYPE_CHECKING:
                assert isinstance(algorithm, BlockCipher)
            context = AEADContext(
                algorithm.member(f"{mode.name}-{'seal' if encrypt else 'open'}"),
                mode.name,
                algorithm.key,
                mode.nonce,
                encrypt,
                mode.tag,
                mode.tag_length,
                mode.lengths,
                mode.min_tag_length,
            )
        return context  # type: ignore[return-value]
