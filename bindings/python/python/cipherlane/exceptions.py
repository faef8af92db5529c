"""What this package raises besides ``ValueError``, ``TypeError`` and ``BufferError``."""

from __future__ import annotations

from ._native import (
    AlreadyFinalized,
    AlreadyUpdated,
    CipherlaneError,
    InvalidSignature,
    InvalidTag,
    NotYetFinalized,
    UnsupportedAlgorithm,
)

__all__ = [
    "AlreadyFinalized",
    "AlreadyUpdated",
    "CipherlaneError",
    "DialectError",
    "InvalidPadding",
    "InvalidSetting",
    "InvalidSignature",
    "InvalidTag",
    "InvalidValue",
    "InvalidValueTag",
    "NotYetFinalized",
    "UnknownDialect",
    "UnknownMode",
    "UnsupportedAlgorithm",
    "WeakDialect",
    "WeakDialectWarning",
]


class DialectError(CipherlaneError):
    """Something about a dialect or its values; see :mod:`cipherlane.dialects`.

    The text has everything; for programs there are ``field``, its ``value`` (never a secret),
    what is ``allowed``, the ``remedy``, and the ``row`` where it is about one of many values.
    """

    def __init__(
        self,
        text: str = "",
        *,
        field: str = "",
        value: str | None = None,
        allowed: str = "",
        remedy: str = "",
        row: int | None = None,
    ) -> None:
        super().__init__(text)
        self.field, self.value, self.allowed = field, value, allowed
        self.remedy, self.row = remedy, row


class UnknownDialect(DialectError, UnsupportedAlgorithm):
    """No dialect is called so; ``allowed`` is the nearest name."""


class UnknownMode(DialectError, UnsupportedAlgorithm):
    """The dialect has no such mode."""


class InvalidSetting(DialectError, ValueError):
    """A key, an IV or another setting has a wrong length or coding, or no place here."""


class WeakDialect(DialectError, ValueError):
    """Values of the dialect lack something, and are to be written without ``weak=True``."""


class InvalidValue(DialectError, ValueError):
    """A stored value is damaged or of another dialect, or a plaintext can't be stored."""


class InvalidPadding(InvalidValue):
    """The padding of a value is wrong. For the owner of the data alone: whoever learns it of
    values that he sends in decrypts without the key."""


class InvalidValueTag(InvalidValue, InvalidTag):
    """The tag or MAC of a value is wrong; nothing of the plaintext is given out."""


class WeakDialectWarning(UserWarning):
    """What the values of a dialect lack, told once a codec."""
