"""Keys, IVs and tags that outlive the call that gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


def owned(given: Buffer) -> bytes:
    """What a buffer holds now; ``bytes``, which nobody can change, stay as they are."""
    return given if type(given) is bytes else bytes(memoryview(given))
