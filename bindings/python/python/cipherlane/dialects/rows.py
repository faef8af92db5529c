"""The rows of the dialects there are: what each says of itself."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .._native import dialect_rows

if TYPE_CHECKING:
    from .._native import ModeRow


class Source(NamedTuple):
    """Where a rule was read."""

    #: The document.
    at: str
    #: What it says.
    read: str


class Flaw(NamedTuple):
    """Something that a dialect lacks."""

    #: For programs, e.g. ``no-integrity``.
    name: str
    #: In a line.
    text: str


class Mode(NamedTuple):
    """A mode of a dialect, in the engine's words."""

    name: str
    #: The ciphers by the registry's names; of several the key's length chooses.
    ciphers: tuple[str, ...]
    #: The registry's name of the mode, e.g. ``cbc``.
    operation: str
    padding: str
    #: Where the IV comes from, in few words.
    iv: str
    #: The pieces of a stored value, with their lengths in bytes.
    layout: str
    #: Whether each value's IV is drawn when it is written.
    draws: bool
    #: What its values lack where an IV that can be given is not.
    flaws: tuple[Flaw, ...]


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    return {row["name"]: row for row in dialect_rows()}


def mode_of(row: ModeRow) -> Mode:
    return Mode(
        row["name"],
        tuple(row["ciphers"]),
        row["operation"],
        row["padding"],
        row["iv"],
        row["layout"],
        row["draws"],
        tuple(Flaw(*flaw) for flaw in row["flaws"]),
    )
