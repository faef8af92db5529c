"""What this package raises besides ``ValueError``, ``TypeError`` and ``BufferError``."""

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
    "InvalidSignature",
    "InvalidTag",
    "NotYetFinalized",
    "UnsupportedAlgorithm",
]
